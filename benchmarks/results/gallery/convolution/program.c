/* The part that costs most. */
/*
 * conv2d(f32[1,64,56,56], const f32[64,64,3,3], padding=1) -> f32[1,64,56,56]
 *
 * native, 1 thread, 1.026e+07 cycles by the model
 *
 * ahead x1 64x64x3x3, panels of 24, once
 *     view y 64x64x3x3 -> L2
 *       loop i0 by 48
 *         pack i0=48 i3=64 i4=3 i5=3, lanes along i0
 *         leftover i0 16:
 *           pack i0=16 i3=64 i4=3 i5=3, lanes along i0
 *   loop i3 by 48
 *     first:
 *       loop i1 by 14
 *         copy x0 48x16x58 -> L2, compact
 *             window i1=14 i2=56 i3=48 i4=3 i5=3, lanes along i1
 *           loop i0 by 24
 *             loop i1 by 7
 *               view y 24x7x56 -> L2
 *                 loop i3 by 16
 *                   first:
 *                     view x1 24x16x3x3 -> L1
 *                       loop i1 by 4
 *                         loop i1 by 2
 *                           loop i2 by 4
 *                             view x0 16x4x6 -> L1
 *                               loop i1 by 1
 *                                 registers y 24x1x4  multiply_add i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0
 *                         leftover i1 3:
 *                           loop i2 by 4
 *                             view x0 16x5x6 -> L1
 *                               loop i1 by 1
 *                                 registers y 24x1x4  multiply_add i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0
 *                     view x1 24x16x3x3 -> L1
 *                       loop i1 by 4
 *                         loop i1 by 2
 *                           loop i2 by 4
 *                             view x0 16x4x6 -> L1
 *                               loop i1 by 1
 *                                 registers y 24x1x4  multiply_add i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0
 *                         leftover i1 3:
 *                           loop i2 by 4
 *                             view x0 16x5x6 -> L1
 *                               loop i1 by 1
 *                                 registers y 24x1x4  multiply_add i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0
 *             leftover i0 16:
 *               view y 16x14x56 -> L2
 *                 loop i3 by 24
 *                   first:
 *                     view x1 16x24x3x3 -> L1
 *                       loop i2 by 14
 *                         loop i2 by 8
 *                           loop i1 by 7
 *                             loop i1 by 4
 *                               loop i2 by 7
 *                                 loop i2 by 4
 *                                   loop i1 by 1
 *                                     view x0 24x3x6 -> L1
 *                                       registers y 16x1x4  multiply_add i0=16 i1=1 i2=4 i3=24 i4=3 i5=3, lanes along i0
 *                                   leftover i2 3:
 *                                     loop i1 by 2
 *                                       view x0 24x4x5 -> L1
 *                                         registers y 16x2x3  multiply_add i0=16 i1=2 i2=3 i3=24 i4=3 i5=3, lanes along i0
 *                                 leftover i2 1:
 *                                   view x0 24x6x3 -> L1
 *                                     registers y 16x4x1  multiply_add i0=16 i1=4 i2=1 i3=24 i4=3 i5=3, lanes along i0
 *                               leftover i1 3:
 *                                 loop i2 by 2
 *                                   view x0 24x5x4 -> L1
 *                                     registers y 16x3x2  multiply_add i0=16 i1=3 i2=2 i3=24 i4=3 i5=3, lanes along i0
 *                           leftover i2 6:
 *                             loop i1 by 1
 *                               registers y 16x1x6  multiply_add i0=16 i1=1 i2=6 i3=24 i4=3 i5=3, lanes along i0
 *                     view x1 16x24x3x3 -> L1
 *                       loop i2 by 14
 *                         loop i1 by 1
 *                           view y 16x1x14 -> L1
 *                             loop i2 by 8
 *                               loop i2 by 4
 *                                 registers y 16x1x4  multiply_add i0=16 i1=1 i2=4 i3=24 i4=3 i5=3, lanes along i0
 *                               leftover i2 6:
 *                                 registers y 16x1x6  multiply_add i0=16 i1=1 i2=6 i3=24 i4=3 i5=3, lanes along i0
 *     leftover i3 16:
 *       copy x0 16x58x58 -> L2, compact
 *           window i1=56 i2=56 i3=16 i4=3 i5=3, lanes along i1
 *         loop i0 by 24
 *           view x1 24x16x3x3 -> L1
 *             loop i1 by 7
 *               loop i1 by 4
 *                 view y 24x4x56 -> L2
 *                   loop i1 by 2
 *                     loop i2 by 4
 *                       view x0 16x4x6 -> L1
 *                         loop i1 by 1
 *                           registers y 24x1x4  multiply_add i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0
 *                 leftover i1 3:
 *                   view y 24x3x56 -> L2
 *                     loop i2 by 4
 *                       view x0 16x5x6 -> L1
 *                         loop i1 by 1
 *                           registers y 24x1x4  multiply_add i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0
 *           leftover i0 16:
 *             view x1 16x16x3x3 -> L1
 *               loop i1 by 7
 *                 view y 16x7x56 -> L2
 *                   loop i2 by 14
 *                     loop i1 by 1
 *                       view y 16x1x14 -> L1
 *                         loop i2 by 8
 *                           view x0 16x3x10 -> L1
 *                             loop i2 by 4
 *                               registers y 16x1x4  multiply_add i0=16 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0
 *                           leftover i2 6:
 *                             view x0 16x3x8 -> L1
 *                               registers y 16x1x6  multiply_add i0=16 i1=1 i2=6 i3=16 i4=3 i5=3, lanes along i0
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

static inline __attribute__((always_inline, unused)) void keep_f32x8(f32x8 x)
{
    __asm__ volatile("" : : "x"(x));
}

static inline __attribute__((always_inline, unused)) f32x8 add_f32x8(f32x8 x, f32x8 y)
{
    return x + y;
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

static inline __attribute__((always_inline, unused)) void store_strided_f32x8(float *p, f32x8 v, int64_t stride, int n)
{
    if (0 < n) p[0 * stride] = v[0];
    if (1 < n) p[1 * stride] = v[1];
    if (2 < n) p[2 * stride] = v[2];
    if (3 < n) p[3 * stride] = v[3];
    if (4 < n) p[4 * stride] = v[4];
    if (5 < n) p[5 * stride] = v[5];
    if (6 < n) p[6 * stride] = v[6];
    if (7 < n) p[7 * stride] = v[7];
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}


static _Thread_local float local_3_thread[53824] __attribute__((aligned(64)));

/* y[i0 i1 i2] = add of mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_24x1x4x16x3x3_0(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 3136, 1);
    __builtin_prefetch(y + 3136 + 3, 1);
    __builtin_prefetch(y + 6272, 1);
    __builtin_prefetch(y + 6272 + 3, 1);
    __builtin_prefetch(y + 9408, 1);
    __builtin_prefetch(y + 9408 + 3, 1);
    __builtin_prefetch(y + 12544, 1);
    __builtin_prefetch(y + 12544 + 3, 1);
    __builtin_prefetch(y + 15680, 1);
    __builtin_prefetch(y + 15680 + 3, 1);
    __builtin_prefetch(y + 18816, 1);
    __builtin_prefetch(y + 18816 + 3, 1);
    __builtin_prefetch(y + 21952, 1);
    __builtin_prefetch(y + 21952 + 3, 1);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25088 + 3, 1);
    __builtin_prefetch(y + 25088 + 3136, 1);
    __builtin_prefetch(y + 25088 + 3136 + 3, 1);
    __builtin_prefetch(y + 25088 + 6272, 1);
    __builtin_prefetch(y + 25088 + 6272 + 3, 1);
    __builtin_prefetch(y + 25088 + 9408, 1);
    __builtin_prefetch(y + 25088 + 9408 + 3, 1);
    __builtin_prefetch(y + 25088 + 12544, 1);
    __builtin_prefetch(y + 25088 + 12544 + 3, 1);
    __builtin_prefetch(y + 25088 + 15680, 1);
    __builtin_prefetch(y + 25088 + 15680 + 3, 1);
    __builtin_prefetch(y + 25088 + 18816, 1);
    __builtin_prefetch(y + 25088 + 18816 + 3, 1);
    __builtin_prefetch(y + 25088 + 21952, 1);
    __builtin_prefetch(y + 25088 + 21952 + 3, 1);
    f32x8 c0_0_2 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 50176, 1);
    __builtin_prefetch(y + 50176 + 3, 1);
    __builtin_prefetch(y + 50176 + 3136, 1);
    __builtin_prefetch(y + 50176 + 3136 + 3, 1);
    __builtin_prefetch(y + 50176 + 6272, 1);
    __builtin_prefetch(y + 50176 + 6272 + 3, 1);
    __builtin_prefetch(y + 50176 + 9408, 1);
    __builtin_prefetch(y + 50176 + 9408 + 3, 1);
    __builtin_prefetch(y + 50176 + 12544, 1);
    __builtin_prefetch(y + 50176 + 12544 + 3, 1);
    __builtin_prefetch(y + 50176 + 15680, 1);
    __builtin_prefetch(y + 50176 + 15680 + 3, 1);
    __builtin_prefetch(y + 50176 + 18816, 1);
    __builtin_prefetch(y + 50176 + 18816 + 3, 1);
    __builtin_prefetch(y + 50176 + 21952, 1);
    __builtin_prefetch(y + 50176 + 21952 + 3, 1);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_1_2 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_2_2 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    f32x8 c0_3_2 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 16; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 16));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 40));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 64));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, t4_0, 4);
        store_tail_f32x8(y + 3136, t4_1, 4);
        store_tail_f32x8(y + 6272, t4_2, 4);
        store_tail_f32x8(y + 9408, t4_3, 4);
        store_tail_f32x8(y + 12544, t4_4, 4);
        store_tail_f32x8(y + 15680, t4_5, 4);
        store_tail_f32x8(y + 18816, t4_6, 4);
        store_tail_f32x8(y + 21952, t4_7, 4);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, t4_0, 4);
        store_tail_f32x8(y + 28224, t4_1, 4);
        store_tail_f32x8(y + 31360, t4_2, 4);
        store_tail_f32x8(y + 34496, t4_3, 4);
        store_tail_f32x8(y + 37632, t4_4, 4);
        store_tail_f32x8(y + 40768, t4_5, 4);
        store_tail_f32x8(y + 43904, t4_6, 4);
        store_tail_f32x8(y + 47040, t4_7, 4);
    }
    {
        const f32x8 r0 = c0_0_2;
        const f32x8 r1 = c0_1_2;
        const f32x8 r2 = c0_2_2;
        const f32x8 r3 = c0_3_2;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 50176, t4_0, 4);
        store_tail_f32x8(y + 53312, t4_1, 4);
        store_tail_f32x8(y + 56448, t4_2, 4);
        store_tail_f32x8(y + 59584, t4_3, 4);
        store_tail_f32x8(y + 62720, t4_4, 4);
        store_tail_f32x8(y + 65856, t4_5, 4);
        store_tail_f32x8(y + 68992, t4_6, 4);
        store_tail_f32x8(y + 72128, t4_7, 4);
    }
}

/* y[i0 i1 i2] += mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_24x1x4x16x3x3_1(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25091, 1);
    __builtin_prefetch(y + 50176, 1);
    __builtin_prefetch(y + 50179, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_0_2 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_1_2 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_2_2 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    f32x8 c0_3_2 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 16; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 16));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 40));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 64));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, add_f32x8(load_tail_f32x8(y, 4), t4_0), 4);
        store_tail_f32x8(y + 3136, add_f32x8(load_tail_f32x8(y + 3136, 4), t4_1), 4);
        store_tail_f32x8(y + 6272, add_f32x8(load_tail_f32x8(y + 6272, 4), t4_2), 4);
        store_tail_f32x8(y + 9408, add_f32x8(load_tail_f32x8(y + 9408, 4), t4_3), 4);
        store_tail_f32x8(y + 12544, add_f32x8(load_tail_f32x8(y + 12544, 4), t4_4), 4);
        store_tail_f32x8(y + 15680, add_f32x8(load_tail_f32x8(y + 15680, 4), t4_5), 4);
        store_tail_f32x8(y + 18816, add_f32x8(load_tail_f32x8(y + 18816, 4), t4_6), 4);
        store_tail_f32x8(y + 21952, add_f32x8(load_tail_f32x8(y + 21952, 4), t4_7), 4);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, add_f32x8(load_tail_f32x8(y + 25088, 4), t4_0), 4);
        store_tail_f32x8(y + 28224, add_f32x8(load_tail_f32x8(y + 28224, 4), t4_1), 4);
        store_tail_f32x8(y + 31360, add_f32x8(load_tail_f32x8(y + 31360, 4), t4_2), 4);
        store_tail_f32x8(y + 34496, add_f32x8(load_tail_f32x8(y + 34496, 4), t4_3), 4);
        store_tail_f32x8(y + 37632, add_f32x8(load_tail_f32x8(y + 37632, 4), t4_4), 4);
        store_tail_f32x8(y + 40768, add_f32x8(load_tail_f32x8(y + 40768, 4), t4_5), 4);
        store_tail_f32x8(y + 43904, add_f32x8(load_tail_f32x8(y + 43904, 4), t4_6), 4);
        store_tail_f32x8(y + 47040, add_f32x8(load_tail_f32x8(y + 47040, 4), t4_7), 4);
    }
    {
        const f32x8 r0 = c0_0_2;
        const f32x8 r1 = c0_1_2;
        const f32x8 r2 = c0_2_2;
        const f32x8 r3 = c0_3_2;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 50176, add_f32x8(load_tail_f32x8(y + 50176, 4), t4_0), 4);
        store_tail_f32x8(y + 53312, add_f32x8(load_tail_f32x8(y + 53312, 4), t4_1), 4);
        store_tail_f32x8(y + 56448, add_f32x8(load_tail_f32x8(y + 56448, 4), t4_2), 4);
        store_tail_f32x8(y + 59584, add_f32x8(load_tail_f32x8(y + 59584, 4), t4_3), 4);
        store_tail_f32x8(y + 62720, add_f32x8(load_tail_f32x8(y + 62720, 4), t4_4), 4);
        store_tail_f32x8(y + 65856, add_f32x8(load_tail_f32x8(y + 65856, 4), t4_5), 4);
        store_tail_f32x8(y + 68992, add_f32x8(load_tail_f32x8(y + 68992, 4), t4_6), 4);
        store_tail_f32x8(y + 72128, add_f32x8(load_tail_f32x8(y + 72128, 4), t4_7), 4);
    }
}

/* y[i0 i1 i2] = add of mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=1 i2=4 i3=24 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x1x4x24x3x3_2(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 3136, 1);
    __builtin_prefetch(y + 3136 + 3, 1);
    __builtin_prefetch(y + 6272, 1);
    __builtin_prefetch(y + 6272 + 3, 1);
    __builtin_prefetch(y + 9408, 1);
    __builtin_prefetch(y + 9408 + 3, 1);
    __builtin_prefetch(y + 12544, 1);
    __builtin_prefetch(y + 12544 + 3, 1);
    __builtin_prefetch(y + 15680, 1);
    __builtin_prefetch(y + 15680 + 3, 1);
    __builtin_prefetch(y + 18816, 1);
    __builtin_prefetch(y + 18816 + 3, 1);
    __builtin_prefetch(y + 21952, 1);
    __builtin_prefetch(y + 21952 + 3, 1);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25088 + 3, 1);
    __builtin_prefetch(y + 25088 + 3136, 1);
    __builtin_prefetch(y + 25088 + 3136 + 3, 1);
    __builtin_prefetch(y + 25088 + 6272, 1);
    __builtin_prefetch(y + 25088 + 6272 + 3, 1);
    __builtin_prefetch(y + 25088 + 9408, 1);
    __builtin_prefetch(y + 25088 + 9408 + 3, 1);
    __builtin_prefetch(y + 25088 + 12544, 1);
    __builtin_prefetch(y + 25088 + 12544 + 3, 1);
    __builtin_prefetch(y + 25088 + 15680, 1);
    __builtin_prefetch(y + 25088 + 15680 + 3, 1);
    __builtin_prefetch(y + 25088 + 18816, 1);
    __builtin_prefetch(y + 25088 + 18816 + 3, 1);
    __builtin_prefetch(y + 25088 + 21952, 1);
    __builtin_prefetch(y + 25088 + 21952 + 3, 1);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 24; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, t4_0, 4);
        store_tail_f32x8(y + 3136, t4_1, 4);
        store_tail_f32x8(y + 6272, t4_2, 4);
        store_tail_f32x8(y + 9408, t4_3, 4);
        store_tail_f32x8(y + 12544, t4_4, 4);
        store_tail_f32x8(y + 15680, t4_5, 4);
        store_tail_f32x8(y + 18816, t4_6, 4);
        store_tail_f32x8(y + 21952, t4_7, 4);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, t4_0, 4);
        store_tail_f32x8(y + 28224, t4_1, 4);
        store_tail_f32x8(y + 31360, t4_2, 4);
        store_tail_f32x8(y + 34496, t4_3, 4);
        store_tail_f32x8(y + 37632, t4_4, 4);
        store_tail_f32x8(y + 40768, t4_5, 4);
        store_tail_f32x8(y + 43904, t4_6, 4);
        store_tail_f32x8(y + 47040, t4_7, 4);
    }
}

/* y[i0 i1 i2] = add of mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=2 i2=3 i3=24 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x2x3x24x3x3_3(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 2, 1);
    __builtin_prefetch(y + 56, 1);
    __builtin_prefetch(y + 58, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25090, 1);
    __builtin_prefetch(y + 25144, 1);
    __builtin_prefetch(y + 25146, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c1_0_0 = splat_f32x8(0.0f);
    f32x8 c1_0_1 = splat_f32x8(0.0f);
    f32x8 c1_1_0 = splat_f32x8(0.0f);
    f32x8 c1_1_1 = splat_f32x8(0.0f);
    f32x8 c1_2_0 = splat_f32x8(0.0f);
    f32x8 c1_2_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 24; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 60]);
                c1_2_0 += x0_1_2_0 * x1_0;
                keep_f32x8(x1_0);
                c1_2_1 += x0_1_2_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_1_2_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c1_1_0 = hold_f32x8(c1_1_0);
                c1_1_1 = hold_f32x8(c1_1_1);
                c1_2_0 = hold_f32x8(c1_2_0);
                c1_2_1 = hold_f32x8(c1_2_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 61]);
                c1_2_0 += x0_1_2_0 * x1_0;
                keep_f32x8(x1_0);
                c1_2_1 += x0_1_2_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_1_2_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c1_1_0 = hold_f32x8(c1_1_0);
                c1_1_1 = hold_f32x8(c1_1_1);
                c1_2_0 = hold_f32x8(c1_2_0);
                c1_2_1 = hold_f32x8(c1_2_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 62]);
                c1_2_0 += x0_1_2_0 * x1_0;
                keep_f32x8(x1_0);
                c1_2_1 += x0_1_2_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_1_2_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c1_1_0 = hold_f32x8(c1_1_0);
                c1_1_1 = hold_f32x8(c1_1_1);
                c1_2_0 = hold_f32x8(c1_2_0);
                c1_2_1 = hold_f32x8(c1_2_1);
            }
        }
    }
    store_strided_f32x8(y, c0_0_0, 3136, 8);
    store_strided_f32x8(y + 25088, c0_0_1, 3136, 8);
    store_strided_f32x8(y + 1, c0_1_0, 3136, 8);
    store_strided_f32x8(y + 25089, c0_1_1, 3136, 8);
    store_strided_f32x8(y + 2, c0_2_0, 3136, 8);
    store_strided_f32x8(y + 25090, c0_2_1, 3136, 8);
    store_strided_f32x8(y + 56, c1_0_0, 3136, 8);
    store_strided_f32x8(y + 25144, c1_0_1, 3136, 8);
    store_strided_f32x8(y + 57, c1_1_0, 3136, 8);
    store_strided_f32x8(y + 25145, c1_1_1, 3136, 8);
    store_strided_f32x8(y + 58, c1_2_0, 3136, 8);
    store_strided_f32x8(y + 25146, c1_2_1, 3136, 8);
}

/* y[i0 i1 i2] = add of mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=4 i2=1 i3=24 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x4x1x24x3x3_4(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 56, 1);
    __builtin_prefetch(y + 112, 1);
    __builtin_prefetch(y + 168, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25144, 1);
    __builtin_prefetch(y + 25200, 1);
    __builtin_prefetch(y + 25256, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c1_0_0 = splat_f32x8(0.0f);
    f32x8 c1_0_1 = splat_f32x8(0.0f);
    f32x8 c2_0_0 = splat_f32x8(0.0f);
    f32x8 c2_0_1 = splat_f32x8(0.0f);
    f32x8 c3_0_0 = splat_f32x8(0.0f);
    f32x8 c3_0_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 24; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 174]);
                c3_0_0 += x0_3_0_0 * x1_0;
                keep_f32x8(x1_0);
                c3_0_1 += x0_3_0_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_3_0_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c2_0_0 = hold_f32x8(c2_0_0);
                c2_0_1 = hold_f32x8(c2_0_1);
                c3_0_0 = hold_f32x8(c3_0_0);
                c3_0_1 = hold_f32x8(c3_0_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 175]);
                c3_0_0 += x0_3_0_0 * x1_0;
                keep_f32x8(x1_0);
                c3_0_1 += x0_3_0_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_3_0_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c2_0_0 = hold_f32x8(c2_0_0);
                c2_0_1 = hold_f32x8(c2_0_1);
                c3_0_0 = hold_f32x8(c3_0_0);
                c3_0_1 = hold_f32x8(c3_0_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 176]);
                c3_0_0 += x0_3_0_0 * x1_0;
                keep_f32x8(x1_0);
                c3_0_1 += x0_3_0_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_3_0_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c2_0_0 = hold_f32x8(c2_0_0);
                c2_0_1 = hold_f32x8(c2_0_1);
                c3_0_0 = hold_f32x8(c3_0_0);
                c3_0_1 = hold_f32x8(c3_0_1);
            }
        }
    }
    store_strided_f32x8(y, c0_0_0, 3136, 8);
    store_strided_f32x8(y + 25088, c0_0_1, 3136, 8);
    store_strided_f32x8(y + 56, c1_0_0, 3136, 8);
    store_strided_f32x8(y + 25144, c1_0_1, 3136, 8);
    store_strided_f32x8(y + 112, c2_0_0, 3136, 8);
    store_strided_f32x8(y + 25200, c2_0_1, 3136, 8);
    store_strided_f32x8(y + 168, c3_0_0, 3136, 8);
    store_strided_f32x8(y + 25256, c3_0_1, 3136, 8);
}

/* y[i0 i1 i2] = add of mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=3 i2=2 i3=24 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x3x2x24x3x3_5(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 1, 1);
    __builtin_prefetch(y + 56, 1);
    __builtin_prefetch(y + 57, 1);
    __builtin_prefetch(y + 112, 1);
    __builtin_prefetch(y + 113, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25089, 1);
    __builtin_prefetch(y + 25144, 1);
    __builtin_prefetch(y + 25145, 1);
    __builtin_prefetch(y + 25200, 1);
    __builtin_prefetch(y + 25201, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c1_0_0 = splat_f32x8(0.0f);
    f32x8 c1_0_1 = splat_f32x8(0.0f);
    f32x8 c1_1_0 = splat_f32x8(0.0f);
    f32x8 c1_1_1 = splat_f32x8(0.0f);
    f32x8 c2_0_0 = splat_f32x8(0.0f);
    f32x8 c2_0_1 = splat_f32x8(0.0f);
    f32x8 c2_1_0 = splat_f32x8(0.0f);
    f32x8 c2_1_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 24; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 117]);
                c2_1_0 += x0_2_1_0 * x1_0;
                keep_f32x8(x1_0);
                c2_1_1 += x0_2_1_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_2_1_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c1_1_0 = hold_f32x8(c1_1_0);
                c1_1_1 = hold_f32x8(c1_1_1);
                c2_0_0 = hold_f32x8(c2_0_0);
                c2_0_1 = hold_f32x8(c2_0_1);
                c2_1_0 = hold_f32x8(c2_1_0);
                c2_1_1 = hold_f32x8(c2_1_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 118]);
                c2_1_0 += x0_2_1_0 * x1_0;
                keep_f32x8(x1_0);
                c2_1_1 += x0_2_1_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_2_1_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c1_1_0 = hold_f32x8(c1_1_0);
                c1_1_1 = hold_f32x8(c1_1_1);
                c2_0_0 = hold_f32x8(c2_0_0);
                c2_0_1 = hold_f32x8(c2_0_1);
                c2_1_0 = hold_f32x8(c2_1_0);
                c2_1_1 = hold_f32x8(c2_1_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 119]);
                c2_1_0 += x0_2_1_0 * x1_0;
                keep_f32x8(x1_0);
                c2_1_1 += x0_2_1_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_2_1_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c1_0_0 = hold_f32x8(c1_0_0);
                c1_0_1 = hold_f32x8(c1_0_1);
                c1_1_0 = hold_f32x8(c1_1_0);
                c1_1_1 = hold_f32x8(c1_1_1);
                c2_0_0 = hold_f32x8(c2_0_0);
                c2_0_1 = hold_f32x8(c2_0_1);
                c2_1_0 = hold_f32x8(c2_1_0);
                c2_1_1 = hold_f32x8(c2_1_1);
            }
        }
    }
    store_strided_f32x8(y, c0_0_0, 3136, 8);
    store_strided_f32x8(y + 25088, c0_0_1, 3136, 8);
    store_strided_f32x8(y + 1, c0_1_0, 3136, 8);
    store_strided_f32x8(y + 25089, c0_1_1, 3136, 8);
    store_strided_f32x8(y + 56, c1_0_0, 3136, 8);
    store_strided_f32x8(y + 25144, c1_0_1, 3136, 8);
    store_strided_f32x8(y + 57, c1_1_0, 3136, 8);
    store_strided_f32x8(y + 25145, c1_1_1, 3136, 8);
    store_strided_f32x8(y + 112, c2_0_0, 3136, 8);
    store_strided_f32x8(y + 25200, c2_0_1, 3136, 8);
    store_strided_f32x8(y + 113, c2_1_0, 3136, 8);
    store_strided_f32x8(y + 25201, c2_1_1, 3136, 8);
}

/* y[i0 i1 i2] = add of mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=1 i2=6 i3=24 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x1x6x24x3x3_6(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 5, 1);
    __builtin_prefetch(y + 3136, 1);
    __builtin_prefetch(y + 3136 + 5, 1);
    __builtin_prefetch(y + 6272, 1);
    __builtin_prefetch(y + 6272 + 5, 1);
    __builtin_prefetch(y + 9408, 1);
    __builtin_prefetch(y + 9408 + 5, 1);
    __builtin_prefetch(y + 12544, 1);
    __builtin_prefetch(y + 12544 + 5, 1);
    __builtin_prefetch(y + 15680, 1);
    __builtin_prefetch(y + 15680 + 5, 1);
    __builtin_prefetch(y + 18816, 1);
    __builtin_prefetch(y + 18816 + 5, 1);
    __builtin_prefetch(y + 21952, 1);
    __builtin_prefetch(y + 21952 + 5, 1);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25088 + 5, 1);
    __builtin_prefetch(y + 25088 + 3136, 1);
    __builtin_prefetch(y + 25088 + 3136 + 5, 1);
    __builtin_prefetch(y + 25088 + 6272, 1);
    __builtin_prefetch(y + 25088 + 6272 + 5, 1);
    __builtin_prefetch(y + 25088 + 9408, 1);
    __builtin_prefetch(y + 25088 + 9408 + 5, 1);
    __builtin_prefetch(y + 25088 + 12544, 1);
    __builtin_prefetch(y + 25088 + 12544 + 5, 1);
    __builtin_prefetch(y + 25088 + 15680, 1);
    __builtin_prefetch(y + 25088 + 15680 + 5, 1);
    __builtin_prefetch(y + 25088 + 18816, 1);
    __builtin_prefetch(y + 25088 + 18816 + 5, 1);
    __builtin_prefetch(y + 25088 + 21952, 1);
    __builtin_prefetch(y + 25088 + 21952 + 5, 1);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    f32x8 c0_4_0 = splat_f32x8(0.0f);
    f32x8 c0_4_1 = splat_f32x8(0.0f);
    f32x8 c0_5_0 = splat_f32x8(0.0f);
    f32x8 c0_5_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 24; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 6]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 6]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 7]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 r4 = c0_4_0;
        const f32x8 r5 = c0_5_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, t4_0, 6);
        store_tail_f32x8(y + 3136, t4_1, 6);
        store_tail_f32x8(y + 6272, t4_2, 6);
        store_tail_f32x8(y + 9408, t4_3, 6);
        store_tail_f32x8(y + 12544, t4_4, 6);
        store_tail_f32x8(y + 15680, t4_5, 6);
        store_tail_f32x8(y + 18816, t4_6, 6);
        store_tail_f32x8(y + 21952, t4_7, 6);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 r4 = c0_4_1;
        const f32x8 r5 = c0_5_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, t4_0, 6);
        store_tail_f32x8(y + 28224, t4_1, 6);
        store_tail_f32x8(y + 31360, t4_2, 6);
        store_tail_f32x8(y + 34496, t4_3, 6);
        store_tail_f32x8(y + 37632, t4_4, 6);
        store_tail_f32x8(y + 40768, t4_5, 6);
        store_tail_f32x8(y + 43904, t4_6, 6);
        store_tail_f32x8(y + 47040, t4_7, 6);
    }
}

/* y[i0 i1 i2] += mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=1 i2=4 i3=24 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x1x4x24x3x3_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25091, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 24; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, add_f32x8(load_tail_f32x8(y, 4), t4_0), 4);
        store_tail_f32x8(y + 3136, add_f32x8(load_tail_f32x8(y + 3136, 4), t4_1), 4);
        store_tail_f32x8(y + 6272, add_f32x8(load_tail_f32x8(y + 6272, 4), t4_2), 4);
        store_tail_f32x8(y + 9408, add_f32x8(load_tail_f32x8(y + 9408, 4), t4_3), 4);
        store_tail_f32x8(y + 12544, add_f32x8(load_tail_f32x8(y + 12544, 4), t4_4), 4);
        store_tail_f32x8(y + 15680, add_f32x8(load_tail_f32x8(y + 15680, 4), t4_5), 4);
        store_tail_f32x8(y + 18816, add_f32x8(load_tail_f32x8(y + 18816, 4), t4_6), 4);
        store_tail_f32x8(y + 21952, add_f32x8(load_tail_f32x8(y + 21952, 4), t4_7), 4);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, add_f32x8(load_tail_f32x8(y + 25088, 4), t4_0), 4);
        store_tail_f32x8(y + 28224, add_f32x8(load_tail_f32x8(y + 28224, 4), t4_1), 4);
        store_tail_f32x8(y + 31360, add_f32x8(load_tail_f32x8(y + 31360, 4), t4_2), 4);
        store_tail_f32x8(y + 34496, add_f32x8(load_tail_f32x8(y + 34496, 4), t4_3), 4);
        store_tail_f32x8(y + 37632, add_f32x8(load_tail_f32x8(y + 37632, 4), t4_4), 4);
        store_tail_f32x8(y + 40768, add_f32x8(load_tail_f32x8(y + 40768, 4), t4_5), 4);
        store_tail_f32x8(y + 43904, add_f32x8(load_tail_f32x8(y + 43904, 4), t4_6), 4);
        store_tail_f32x8(y + 47040, add_f32x8(load_tail_f32x8(y + 47040, 4), t4_7), 4);
    }
}

/* y[i0 i1 i2] += mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=1 i2=6 i3=24 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x1x6x24x3x3_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 5, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25093, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    f32x8 c0_4_0 = splat_f32x8(0.0f);
    f32x8 c0_4_1 = splat_f32x8(0.0f);
    f32x8 c0_5_0 = splat_f32x8(0.0f);
    f32x8 c0_5_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 24; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 6]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 6]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 928 + i4 * 58 + 7]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 r4 = c0_4_0;
        const f32x8 r5 = c0_5_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, add_f32x8(load_tail_f32x8(y, 6), t4_0), 6);
        store_tail_f32x8(y + 3136, add_f32x8(load_tail_f32x8(y + 3136, 6), t4_1), 6);
        store_tail_f32x8(y + 6272, add_f32x8(load_tail_f32x8(y + 6272, 6), t4_2), 6);
        store_tail_f32x8(y + 9408, add_f32x8(load_tail_f32x8(y + 9408, 6), t4_3), 6);
        store_tail_f32x8(y + 12544, add_f32x8(load_tail_f32x8(y + 12544, 6), t4_4), 6);
        store_tail_f32x8(y + 15680, add_f32x8(load_tail_f32x8(y + 15680, 6), t4_5), 6);
        store_tail_f32x8(y + 18816, add_f32x8(load_tail_f32x8(y + 18816, 6), t4_6), 6);
        store_tail_f32x8(y + 21952, add_f32x8(load_tail_f32x8(y + 21952, 6), t4_7), 6);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 r4 = c0_4_1;
        const f32x8 r5 = c0_5_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, add_f32x8(load_tail_f32x8(y + 25088, 6), t4_0), 6);
        store_tail_f32x8(y + 28224, add_f32x8(load_tail_f32x8(y + 28224, 6), t4_1), 6);
        store_tail_f32x8(y + 31360, add_f32x8(load_tail_f32x8(y + 31360, 6), t4_2), 6);
        store_tail_f32x8(y + 34496, add_f32x8(load_tail_f32x8(y + 34496, 6), t4_3), 6);
        store_tail_f32x8(y + 37632, add_f32x8(load_tail_f32x8(y + 37632, 6), t4_4), 6);
        store_tail_f32x8(y + 40768, add_f32x8(load_tail_f32x8(y + 40768, 6), t4_5), 6);
        store_tail_f32x8(y + 43904, add_f32x8(load_tail_f32x8(y + 43904, 6), t4_6), 6);
        store_tail_f32x8(y + 47040, add_f32x8(load_tail_f32x8(y + 47040, 6), t4_7), 6);
    }
}

/* y[i3 i1+i4 i2+i5] = p0[i3 i1+i4 i2+i5], i1=14 i2=56 i3=48 i4=3 i5=3, lanes along i1 */
static void window_14x56x48x3x3_9(int64_t p0_1, int64_t p0_2, const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 48; i0++) {
        for (int64_t i1 = 0; i1 < 16; i1++) {
            float *const t = y + i1 * 58 + i0 * 928;
            if ((p0_1 + i1) >= 0 && (p0_1 + i1) < 56) {
                const float *const s = p0 + (p0_1 + i1) * 56 + i0 * 3136;
                const int64_t first = p0_2 < 0 ? (-(p0_2) < 58 ? -(p0_2) : 58) : 0;
                const int64_t there = 56 - (p0_2) < 58 ? 56 - (p0_2) : 58;
                const int64_t last = there > first ? there : first;
                const int64_t whole = first + (last - first) / 8 * 8;
                for (int64_t j = 0; j < first; j++) t[j] = 0.0f;
                for (int64_t j = first; j < whole; j += 8) { store_f32x8(t + j, load_f32x8(s + j + (p0_2))); }
                if (whole < last) { store_tail_f32x8(t + whole, load_tail_f32x8(s + whole + (p0_2), (int)(last - whole)), (int)(last - whole)); }
                for (int64_t j = last; j < 58; j++) t[j] = 0.0f;
            } else {
                for (int64_t j = 0; j < 58; j++) t[j] = 0.0f;
            }
        }
    }
}

/* y[i0 i1 i2] += mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=24 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_24x1x4x16x3x3_10(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25091, 1);
    __builtin_prefetch(y + 50176, 1);
    __builtin_prefetch(y + 50179, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_0_2 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_1_2 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_2_2 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    f32x8 c0_3_2 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 16; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 16));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 40));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                const f32x8 x1_2 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 64));
                c0_0_2 += x0_0_0_0 * x1_2;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                c0_1_2 += x0_0_1_0 * x1_2;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                c0_2_2 += x0_0_2_0 * x1_2;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                c0_3_2 += x0_0_3_0 * x1_2;
                keep_f32x8(x1_2);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_0_2 = hold_f32x8(c0_0_2);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_1_2 = hold_f32x8(c0_1_2);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_2_2 = hold_f32x8(c0_2_2);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_3_2 = hold_f32x8(c0_3_2);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, add_f32x8(load_tail_f32x8(y, 4), t4_0), 4);
        store_tail_f32x8(y + 3136, add_f32x8(load_tail_f32x8(y + 3136, 4), t4_1), 4);
        store_tail_f32x8(y + 6272, add_f32x8(load_tail_f32x8(y + 6272, 4), t4_2), 4);
        store_tail_f32x8(y + 9408, add_f32x8(load_tail_f32x8(y + 9408, 4), t4_3), 4);
        store_tail_f32x8(y + 12544, add_f32x8(load_tail_f32x8(y + 12544, 4), t4_4), 4);
        store_tail_f32x8(y + 15680, add_f32x8(load_tail_f32x8(y + 15680, 4), t4_5), 4);
        store_tail_f32x8(y + 18816, add_f32x8(load_tail_f32x8(y + 18816, 4), t4_6), 4);
        store_tail_f32x8(y + 21952, add_f32x8(load_tail_f32x8(y + 21952, 4), t4_7), 4);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, add_f32x8(load_tail_f32x8(y + 25088, 4), t4_0), 4);
        store_tail_f32x8(y + 28224, add_f32x8(load_tail_f32x8(y + 28224, 4), t4_1), 4);
        store_tail_f32x8(y + 31360, add_f32x8(load_tail_f32x8(y + 31360, 4), t4_2), 4);
        store_tail_f32x8(y + 34496, add_f32x8(load_tail_f32x8(y + 34496, 4), t4_3), 4);
        store_tail_f32x8(y + 37632, add_f32x8(load_tail_f32x8(y + 37632, 4), t4_4), 4);
        store_tail_f32x8(y + 40768, add_f32x8(load_tail_f32x8(y + 40768, 4), t4_5), 4);
        store_tail_f32x8(y + 43904, add_f32x8(load_tail_f32x8(y + 43904, 4), t4_6), 4);
        store_tail_f32x8(y + 47040, add_f32x8(load_tail_f32x8(y + 47040, 4), t4_7), 4);
    }
    {
        const f32x8 r0 = c0_0_2;
        const f32x8 r1 = c0_1_2;
        const f32x8 r2 = c0_2_2;
        const f32x8 r3 = c0_3_2;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 50176, add_f32x8(load_tail_f32x8(y + 50176, 4), t4_0), 4);
        store_tail_f32x8(y + 53312, add_f32x8(load_tail_f32x8(y + 53312, 4), t4_1), 4);
        store_tail_f32x8(y + 56448, add_f32x8(load_tail_f32x8(y + 56448, 4), t4_2), 4);
        store_tail_f32x8(y + 59584, add_f32x8(load_tail_f32x8(y + 59584, 4), t4_3), 4);
        store_tail_f32x8(y + 62720, add_f32x8(load_tail_f32x8(y + 62720, 4), t4_4), 4);
        store_tail_f32x8(y + 65856, add_f32x8(load_tail_f32x8(y + 65856, 4), t4_5), 4);
        store_tail_f32x8(y + 68992, add_f32x8(load_tail_f32x8(y + 68992, 4), t4_6), 4);
        store_tail_f32x8(y + 72128, add_f32x8(load_tail_f32x8(y + 72128, 4), t4_7), 4);
    }
}

/* y[i0 i1 i2] += mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=1 i2=4 i3=16 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x1x4x16x3x3_11(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25091, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 16; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                keep_f32x8(x1_0);
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_3_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, add_f32x8(load_tail_f32x8(y, 4), t4_0), 4);
        store_tail_f32x8(y + 3136, add_f32x8(load_tail_f32x8(y + 3136, 4), t4_1), 4);
        store_tail_f32x8(y + 6272, add_f32x8(load_tail_f32x8(y + 6272, 4), t4_2), 4);
        store_tail_f32x8(y + 9408, add_f32x8(load_tail_f32x8(y + 9408, 4), t4_3), 4);
        store_tail_f32x8(y + 12544, add_f32x8(load_tail_f32x8(y + 12544, 4), t4_4), 4);
        store_tail_f32x8(y + 15680, add_f32x8(load_tail_f32x8(y + 15680, 4), t4_5), 4);
        store_tail_f32x8(y + 18816, add_f32x8(load_tail_f32x8(y + 18816, 4), t4_6), 4);
        store_tail_f32x8(y + 21952, add_f32x8(load_tail_f32x8(y + 21952, 4), t4_7), 4);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, add_f32x8(load_tail_f32x8(y + 25088, 4), t4_0), 4);
        store_tail_f32x8(y + 28224, add_f32x8(load_tail_f32x8(y + 28224, 4), t4_1), 4);
        store_tail_f32x8(y + 31360, add_f32x8(load_tail_f32x8(y + 31360, 4), t4_2), 4);
        store_tail_f32x8(y + 34496, add_f32x8(load_tail_f32x8(y + 34496, 4), t4_3), 4);
        store_tail_f32x8(y + 37632, add_f32x8(load_tail_f32x8(y + 37632, 4), t4_4), 4);
        store_tail_f32x8(y + 40768, add_f32x8(load_tail_f32x8(y + 40768, 4), t4_5), 4);
        store_tail_f32x8(y + 43904, add_f32x8(load_tail_f32x8(y + 43904, 4), t4_6), 4);
        store_tail_f32x8(y + 47040, add_f32x8(load_tail_f32x8(y + 47040, 4), t4_7), 4);
    }
}

/* y[i0 i1 i2] += mul(p0[i3 i1+i4 i2+i5], p1[i0 i3 i4 i5]), i0=16 i1=1 i2=6 i3=16 i4=3 i5=3, lanes along i0 */
static __attribute__((noinline)) void multiply_add_16x1x6x16x3x3_12(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 5, 1);
    __builtin_prefetch(y + 25088, 1);
    __builtin_prefetch(y + 25093, 1);
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    f32x8 c0_4_0 = splat_f32x8(0.0f);
    f32x8 c0_4_1 = splat_f32x8(0.0f);
    f32x8 c0_5_0 = splat_f32x8(0.0f);
    f32x8 c0_5_1 = splat_f32x8(0.0f);
    for (int64_t i3 = 0; i3 < 16; i3 += 1) {
        for (int64_t i4 = 0; i4 < 3; i4 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 4]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 5]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 24));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 32));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 5]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 6]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + i3 * 216 + i4 * 72 + 56));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 6]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[i3 * 3364 + i4 * 58 + 7]);
                c0_5_0 += x0_0_5_0 * x1_0;
                keep_f32x8(x1_0);
                c0_5_1 += x0_0_5_0 * x1_1;
                keep_f32x8(x1_1);
                keep_f32x8(x0_0_5_0);
                c0_0_0 = hold_f32x8(c0_0_0);
                c0_0_1 = hold_f32x8(c0_0_1);
                c0_1_0 = hold_f32x8(c0_1_0);
                c0_1_1 = hold_f32x8(c0_1_1);
                c0_2_0 = hold_f32x8(c0_2_0);
                c0_2_1 = hold_f32x8(c0_2_1);
                c0_3_0 = hold_f32x8(c0_3_0);
                c0_3_1 = hold_f32x8(c0_3_1);
                c0_4_0 = hold_f32x8(c0_4_0);
                c0_4_1 = hold_f32x8(c0_4_1);
                c0_5_0 = hold_f32x8(c0_5_0);
                c0_5_1 = hold_f32x8(c0_5_1);
            }
        }
    }
    {
        const f32x8 r0 = c0_0_0;
        const f32x8 r1 = c0_1_0;
        const f32x8 r2 = c0_2_0;
        const f32x8 r3 = c0_3_0;
        const f32x8 r4 = c0_4_0;
        const f32x8 r5 = c0_5_0;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y, add_f32x8(load_tail_f32x8(y, 6), t4_0), 6);
        store_tail_f32x8(y + 3136, add_f32x8(load_tail_f32x8(y + 3136, 6), t4_1), 6);
        store_tail_f32x8(y + 6272, add_f32x8(load_tail_f32x8(y + 6272, 6), t4_2), 6);
        store_tail_f32x8(y + 9408, add_f32x8(load_tail_f32x8(y + 9408, 6), t4_3), 6);
        store_tail_f32x8(y + 12544, add_f32x8(load_tail_f32x8(y + 12544, 6), t4_4), 6);
        store_tail_f32x8(y + 15680, add_f32x8(load_tail_f32x8(y + 15680, 6), t4_5), 6);
        store_tail_f32x8(y + 18816, add_f32x8(load_tail_f32x8(y + 18816, 6), t4_6), 6);
        store_tail_f32x8(y + 21952, add_f32x8(load_tail_f32x8(y + 21952, 6), t4_7), 6);
    }
    {
        const f32x8 r0 = c0_0_1;
        const f32x8 r1 = c0_1_1;
        const f32x8 r2 = c0_2_1;
        const f32x8 r3 = c0_3_1;
        const f32x8 r4 = c0_4_1;
        const f32x8 r5 = c0_5_1;
        const f32x8 t1_0 = __builtin_shufflevector(r0, r1, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_1 = __builtin_shufflevector(r0, r1, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(r2, r3, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_3 = __builtin_shufflevector(r2, r3, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_4 = __builtin_shufflevector(r4, r5, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_5 = __builtin_shufflevector(r4, r5, 1, 9, 3, 11, 5, 13, 7, 15);
        const f32x8 t1_6 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 0, 8, 2, 10, 4, 12, 6, 14);
        const f32x8 t1_7 = __builtin_shufflevector((f32x8){0}, (f32x8){0}, 1, 9, 3, 11, 5, 13, 7, 15);
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
        store_tail_f32x8(y + 25088, add_f32x8(load_tail_f32x8(y + 25088, 6), t4_0), 6);
        store_tail_f32x8(y + 28224, add_f32x8(load_tail_f32x8(y + 28224, 6), t4_1), 6);
        store_tail_f32x8(y + 31360, add_f32x8(load_tail_f32x8(y + 31360, 6), t4_2), 6);
        store_tail_f32x8(y + 34496, add_f32x8(load_tail_f32x8(y + 34496, 6), t4_3), 6);
        store_tail_f32x8(y + 37632, add_f32x8(load_tail_f32x8(y + 37632, 6), t4_4), 6);
        store_tail_f32x8(y + 40768, add_f32x8(load_tail_f32x8(y + 40768, 6), t4_5), 6);
        store_tail_f32x8(y + 43904, add_f32x8(load_tail_f32x8(y + 43904, 6), t4_6), 6);
        store_tail_f32x8(y + 47040, add_f32x8(load_tail_f32x8(y + 47040, 6), t4_7), 6);
    }
}

/* y[i3 i1+i4 i2+i5] = p0[i3 i1+i4 i2+i5], i1=56 i2=56 i3=16 i4=3 i5=3, lanes along i1 */
static void window_56x56x16x3x3_13(int64_t p0_1, int64_t p0_2, const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 16; i0++) {
        for (int64_t i1 = 0; i1 < 58; i1++) {
            float *const t = y + i1 * 58 + i0 * 3364;
            if ((p0_1 + i1) >= 0 && (p0_1 + i1) < 56) {
                const float *const s = p0 + (p0_1 + i1) * 56 + i0 * 3136;
                const int64_t first = p0_2 < 0 ? (-(p0_2) < 58 ? -(p0_2) : 58) : 0;
                const int64_t there = 56 - (p0_2) < 58 ? 56 - (p0_2) : 58;
                const int64_t last = there > first ? there : first;
                const int64_t whole = first + (last - first) / 8 * 8;
                for (int64_t j = 0; j < first; j++) t[j] = 0.0f;
                for (int64_t j = first; j < whole; j += 8) { store_f32x8(t + j, load_f32x8(s + j + (p0_2))); }
                if (whole < last) { store_tail_f32x8(t + whole, load_tail_f32x8(s + whole + (p0_2), (int)(last - whole)), (int)(last - whole)); }
                for (int64_t j = last; j < 58; j++) t[j] = 0.0f;
            } else {
                for (int64_t j = 0; j < 58; j++) t[j] = 0.0f;
            }
        }
    }
}

/* y[i0 i3 i4 i5] = p0[i0 i3 i4 i5], i0=48 i3=64 i4=3 i5=3, lanes along i0 */
static void pack_48x64x3x3_14(const float *restrict p0, float *restrict y)
{
    for (int64_t i1 = 0; i1 < 64; i1++) {
        for (int64_t i2 = 0; i2 < 3; i2++) {
            for (int64_t p = 0; p < 2; p++) {
                {
                    float *t = y + i2 * 72 + i1 * 216 + p * 13824;
                    const float *s = p0 + i2 * 3 + i1 * 9 + p * 13824;
                    const f32x8 r0 = load_tail_f32x8(s, 3);
                    const f32x8 r1 = load_tail_f32x8(s + 576, 3);
                    const f32x8 r2 = load_tail_f32x8(s + 1152, 3);
                    const f32x8 r3 = load_tail_f32x8(s + 1728, 3);
                    const f32x8 r4 = load_tail_f32x8(s + 2304, 3);
                    const f32x8 r5 = load_tail_f32x8(s + 2880, 3);
                    const f32x8 r6 = load_tail_f32x8(s + 3456, 3);
                    const f32x8 r7 = load_tail_f32x8(s + 4032, 3);
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
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 24, t4_1);
                    store_f32x8(t + 48, t4_2);
                }
                {
                    float *t = y + i2 * 72 + i1 * 216 + p * 13824 + 8;
                    const float *s = p0 + i2 * 3 + i1 * 9 + p * 13824 + 4608;
                    const f32x8 r0 = load_tail_f32x8(s, 3);
                    const f32x8 r1 = load_tail_f32x8(s + 576, 3);
                    const f32x8 r2 = load_tail_f32x8(s + 1152, 3);
                    const f32x8 r3 = load_tail_f32x8(s + 1728, 3);
                    const f32x8 r4 = load_tail_f32x8(s + 2304, 3);
                    const f32x8 r5 = load_tail_f32x8(s + 2880, 3);
                    const f32x8 r6 = load_tail_f32x8(s + 3456, 3);
                    const f32x8 r7 = load_tail_f32x8(s + 4032, 3);
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
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 24, t4_1);
                    store_f32x8(t + 48, t4_2);
                }
                {
                    float *t = y + i2 * 72 + i1 * 216 + p * 13824 + 16;
                    const float *s = p0 + i2 * 3 + i1 * 9 + p * 13824 + 9216;
                    const f32x8 r0 = load_tail_f32x8(s, 3);
                    const f32x8 r1 = load_tail_f32x8(s + 576, 3);
                    const f32x8 r2 = load_tail_f32x8(s + 1152, 3);
                    const f32x8 r3 = load_tail_f32x8(s + 1728, 3);
                    const f32x8 r4 = load_tail_f32x8(s + 2304, 3);
                    const f32x8 r5 = load_tail_f32x8(s + 2880, 3);
                    const f32x8 r6 = load_tail_f32x8(s + 3456, 3);
                    const f32x8 r7 = load_tail_f32x8(s + 4032, 3);
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
                    const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                    const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                    const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                    const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                    store_f32x8(t, t4_0);
                    store_f32x8(t + 24, t4_1);
                    store_f32x8(t + 48, t4_2);
                }
            }
        }
    }
}

/* y[i0 i3 i4 i5] = p0[i0 i3 i4 i5], i0=16 i3=64 i4=3 i5=3, lanes along i0 */
static void pack_16x64x3x3_15(const float *restrict p0, float *restrict y)
{
    for (int64_t i1 = 0; i1 < 64; i1++) {
        for (int64_t i2 = 0; i2 < 3; i2++) {
            {
                float *t = y + i2 * 72 + i1 * 216;
                const float *s = p0 + i2 * 3 + i1 * 9;
                const f32x8 r0 = load_tail_f32x8(s, 3);
                const f32x8 r1 = load_tail_f32x8(s + 576, 3);
                const f32x8 r2 = load_tail_f32x8(s + 1152, 3);
                const f32x8 r3 = load_tail_f32x8(s + 1728, 3);
                const f32x8 r4 = load_tail_f32x8(s + 2304, 3);
                const f32x8 r5 = load_tail_f32x8(s + 2880, 3);
                const f32x8 r6 = load_tail_f32x8(s + 3456, 3);
                const f32x8 r7 = load_tail_f32x8(s + 4032, 3);
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
                const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                store_f32x8(t, t4_0);
                store_f32x8(t + 24, t4_1);
                store_f32x8(t + 48, t4_2);
            }
            {
                float *t = y + i2 * 72 + i1 * 216 + 8;
                const float *s = p0 + i2 * 3 + i1 * 9 + 4608;
                const f32x8 r0 = load_tail_f32x8(s, 3);
                const f32x8 r1 = load_tail_f32x8(s + 576, 3);
                const f32x8 r2 = load_tail_f32x8(s + 1152, 3);
                const f32x8 r3 = load_tail_f32x8(s + 1728, 3);
                const f32x8 r4 = load_tail_f32x8(s + 2304, 3);
                const f32x8 r5 = load_tail_f32x8(s + 2880, 3);
                const f32x8 r6 = load_tail_f32x8(s + 3456, 3);
                const f32x8 r7 = load_tail_f32x8(s + 4032, 3);
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
                const f32x8 t2_4 = __builtin_shufflevector(t1_4, t1_6, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t2_6 = __builtin_shufflevector(t1_4, t1_6, 2, 3, 10, 11, 6, 7, 14, 15);
                const f32x8 t2_5 = __builtin_shufflevector(t1_5, t1_7, 0, 1, 8, 9, 4, 5, 12, 13);
                const f32x8 t4_0 = __builtin_shufflevector(t2_0, t2_4, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_1 = __builtin_shufflevector(t2_1, t2_5, 0, 1, 2, 3, 8, 9, 10, 11);
                const f32x8 t4_2 = __builtin_shufflevector(t2_2, t2_6, 0, 1, 2, 3, 8, 9, 10, 11);
                store_f32x8(t, t4_0);
                store_f32x8(t + 24, t4_1);
                store_f32x8(t + 48, t4_2);
            }
            {
                float *t = y + i2 * 72 + i1 * 216 + 16;
                store_f32x8(t, (f32x8){0});
                store_f32x8(t + 24, (f32x8){0});
                store_f32x8(t + 48, (f32x8){0});
            }
        }
    }
}

/* x1 in panels of 24, for griotte_conv2d_83f0a441 */
void griotte_conv2d_83f0a441_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_48x64x3x3_14(x1, packed);
    {
        const float *x_140 = x1 + 27648;
        float *packed_141 = packed + 27648;
        pack_16x64x3x3_15(x_140, packed_141);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_conv2d_83f0a441_check(void)
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

uint32_t griotte_conv2d_83f0a441_abi(void)
{
    return 0x1d341d1;
}

void griotte_conv2d_83f0a441(const float *x0, const void *packed_x1, float *y)
{
    const float *const x1 = packed_x1;
    float *local_3_own = local_3_thread;
    __asm__ volatile("" : "+r"(local_3_own));
    for (int64_t i1_1 = 0; i1_1 < 4; i1_1++) {
        float *y_2 = y + i1_1 * 784;
        {
            float *const local_3 = local_3_own;
            /* copy into compact, L2 */
            window_14x56x48x3x3_9(i1_1 * 14 + -1, -1, x0, local_3);
            for (int64_t i0_4 = 0; i0_4 < 2; i0_4++) {
                const float *x_5 = x1 + i0_4 * 13824;
                float *y_6 = y_2 + i0_4 * 75264;
                for (int64_t i1_7 = 0; i1_7 < 2; i1_7++) {
                    const float *local_8 = local_3 + i1_7 * 406;
                    float *y_9 = y_6 + i1_7 * 392;
                    for (int64_t i2_10 = 0; i2_10 < 14; i2_10++) {
                        const float *local_11 = local_8 + i2_10 * 4;
                        float *y_12 = y_9 + i2_10 * 4;
                        for (int64_t i1_13 = 0; i1_13 < 2; i1_13++) {
                            const float *local_14 = local_11 + i1_13 * 58;
                            float *y_15 = y_12 + i1_13 * 56;
                            multiply_add_24x1x4x16x3x3_0(local_14, x_5, y_15);
                        }
                    }
                    {
                        const float *local_16 = local_8 + 116;
                        float *y_17 = y_9 + 112;
                        for (int64_t i2_18 = 0; i2_18 < 14; i2_18++) {
                            const float *local_19 = local_16 + i2_18 * 4;
                            float *y_20 = y_17 + i2_18 * 4;
                            for (int64_t i1_21 = 0; i1_21 < 2; i1_21++) {
                                const float *local_22 = local_19 + i1_21 * 58;
                                float *y_23 = y_20 + i1_21 * 56;
                                multiply_add_24x1x4x16x3x3_0(local_22, x_5, y_23);
                            }
                        }
                    }
                    {
                        const float *local_24 = local_8 + 232;
                        float *y_25 = y_9 + 224;
                        for (int64_t i2_26 = 0; i2_26 < 14; i2_26++) {
                            const float *local_27 = local_24 + i2_26 * 4;
                            float *y_28 = y_25 + i2_26 * 4;
                            for (int64_t i1_29 = 0; i1_29 < 3; i1_29++) {
                                const float *local_30 = local_27 + i1_29 * 58;
                                float *y_31 = y_28 + i1_29 * 56;
                                multiply_add_24x1x4x16x3x3_0(local_30, x_5, y_31);
                            }
                        }
                    }
                    for (int64_t i3_32 = 1; i3_32 < 3; i3_32++) {
                        const float *local_33 = local_8 + i3_32 * 14848;
                        const float *x_34 = x_5 + i3_32 * 3456;
                        for (int64_t i2_35 = 0; i2_35 < 14; i2_35++) {
                            const float *local_36 = local_33 + i2_35 * 4;
                            float *y_37 = y_9 + i2_35 * 4;
                            for (int64_t i1_38 = 0; i1_38 < 2; i1_38++) {
                                const float *local_39 = local_36 + i1_38 * 58;
                                float *y_40 = y_37 + i1_38 * 56;
                                multiply_add_24x1x4x16x3x3_1(local_39, x_34, y_40);
                            }
                        }
                        {
                            const float *local_41 = local_33 + 116;
                            float *y_42 = y_9 + 112;
                            for (int64_t i2_43 = 0; i2_43 < 14; i2_43++) {
                                const float *local_44 = local_41 + i2_43 * 4;
                                float *y_45 = y_42 + i2_43 * 4;
                                for (int64_t i1_46 = 0; i1_46 < 2; i1_46++) {
                                    const float *local_47 = local_44 + i1_46 * 58;
                                    float *y_48 = y_45 + i1_46 * 56;
                                    multiply_add_24x1x4x16x3x3_1(local_47, x_34, y_48);
                                }
                            }
                        }
                        {
                            const float *local_49 = local_33 + 232;
                            float *y_50 = y_9 + 224;
                            for (int64_t i2_51 = 0; i2_51 < 14; i2_51++) {
                                const float *local_52 = local_49 + i2_51 * 4;
                                float *y_53 = y_50 + i2_51 * 4;
                                for (int64_t i1_54 = 0; i1_54 < 3; i1_54++) {
                                    const float *local_55 = local_52 + i1_54 * 58;
                                    float *y_56 = y_53 + i1_54 * 56;
                                    multiply_add_24x1x4x16x3x3_1(local_55, x_34, y_56);
                                }
                            }
                        }
                    }
                }
            }
            {
                const float *x_57 = x1 + 27648;
                float *y_58 = y_2 + 150528;
                for (int64_t i2_59 = 0; i2_59 < 4; i2_59++) {
                    const float *local_60 = local_3 + i2_59 * 14;
                    float *y_61 = y_58 + i2_59 * 14;
                    for (int64_t i1_62 = 0; i1_62 < 2; i1_62++) {
                        const float *local_63 = local_60 + i1_62 * 406;
                        float *y_64 = y_61 + i1_62 * 392;
                        for (int64_t i1_65 = 0; i1_65 < 4; i1_65++) {
                            const float *local_66 = local_63 + i1_65 * 58;
                            float *y_67 = y_64 + i1_65 * 56;
                            multiply_add_16x1x4x24x3x3_2(local_66, x_57, y_67);
                        }
                        {
                            const float *local_68 = local_63 + 4;
                            float *y_69 = y_64 + 4;
                            for (int64_t i1_70 = 0; i1_70 < 2; i1_70++) {
                                const float *local_71 = local_68 + i1_70 * 116;
                                float *y_72 = y_69 + i1_70 * 112;
                                multiply_add_16x2x3x24x3x3_3(local_71, x_57, y_72);
                            }
                        }
                        {
                            const float *local_73 = local_63 + 7;
                            float *y_74 = y_64 + 7;
                            multiply_add_16x4x1x24x3x3_4(local_73, x_57, y_74);
                        }
                        {
                            const float *local_75 = local_63 + 232;
                            float *y_76 = y_64 + 224;
                            for (int64_t i2_77 = 0; i2_77 < 4; i2_77++) {
                                const float *local_78 = local_75 + i2_77 * 2;
                                float *y_79 = y_76 + i2_77 * 2;
                                multiply_add_16x3x2x24x3x3_5(local_78, x_57, y_79);
                            }
                        }
                    }
                    {
                        const float *local_80 = local_60 + 8;
                        float *y_81 = y_61 + 8;
                        for (int64_t i1_82 = 0; i1_82 < 14; i1_82++) {
                            const float *local_83 = local_80 + i1_82 * 58;
                            float *y_84 = y_81 + i1_82 * 56;
                            multiply_add_16x1x6x24x3x3_6(local_83, x_57, y_84);
                        }
                    }
                }
                {
                    const float *local_85 = local_3 + 22272;
                    const float *x_86 = x_57 + 5184;
                    for (int64_t i2_87 = 0; i2_87 < 4; i2_87++) {
                        const float *local_88 = local_85 + i2_87 * 14;
                        float *y_89 = y_58 + i2_87 * 14;
                        for (int64_t i1_90 = 0; i1_90 < 14; i1_90++) {
                            const float *local_91 = local_88 + i1_90 * 58;
                            float *y_92 = y_89 + i1_90 * 56;
                            for (int64_t i2_93 = 0; i2_93 < 2; i2_93++) {
                                const float *local_94 = local_91 + i2_93 * 4;
                                float *y_95 = y_92 + i2_93 * 4;
                                multiply_add_16x1x4x24x3x3_7(local_94, x_86, y_95);
                            }
                            {
                                const float *local_96 = local_91 + 8;
                                float *y_97 = y_92 + 8;
                                multiply_add_16x1x6x24x3x3_8(local_96, x_86, y_97);
                            }
                        }
                    }
                }
            }
        }
    }
    {
        const float *x_98 = x0 + 150528;
        const float *x_99 = x1 + 10368;
        {
            float *const local_100 = local_3_own;
            /* copy into compact, L2 */
            window_56x56x16x3x3_13(-1, -1, x_98, local_100);
            for (int64_t i0_101 = 0; i0_101 < 2; i0_101++) {
                const float *x_102 = x_99 + i0_101 * 13824;
                float *y_103 = y + i0_101 * 75264;
                for (int64_t i1_104 = 0; i1_104 < 8; i1_104++) {
                    const float *local_105 = local_100 + i1_104 * 406;
                    float *y_106 = y_103 + i1_104 * 392;
                    for (int64_t i1_107 = 0; i1_107 < 2; i1_107++) {
                        const float *local_108 = local_105 + i1_107 * 116;
                        float *y_109 = y_106 + i1_107 * 112;
                        for (int64_t i2_110 = 0; i2_110 < 14; i2_110++) {
                            const float *local_111 = local_108 + i2_110 * 4;
                            float *y_112 = y_109 + i2_110 * 4;
                            for (int64_t i1_113 = 0; i1_113 < 2; i1_113++) {
                                const float *local_114 = local_111 + i1_113 * 58;
                                float *y_115 = y_112 + i1_113 * 56;
                                multiply_add_24x1x4x16x3x3_10(local_114, x_102, y_115);
                            }
                        }
                    }
                    {
                        const float *local_116 = local_105 + 232;
                        float *y_117 = y_106 + 224;
                        for (int64_t i2_118 = 0; i2_118 < 14; i2_118++) {
                            const float *local_119 = local_116 + i2_118 * 4;
                            float *y_120 = y_117 + i2_118 * 4;
                            for (int64_t i1_121 = 0; i1_121 < 3; i1_121++) {
                                const float *local_122 = local_119 + i1_121 * 58;
                                float *y_123 = y_120 + i1_121 * 56;
                                multiply_add_24x1x4x16x3x3_10(local_122, x_102, y_123);
                            }
                        }
                    }
                }
            }
            {
                const float *x_124 = x_99 + 27648;
                float *y_125 = y + 150528;
                for (int64_t i1_126 = 0; i1_126 < 8; i1_126++) {
                    const float *local_127 = local_100 + i1_126 * 406;
                    float *y_128 = y_125 + i1_126 * 392;
                    for (int64_t i2_129 = 0; i2_129 < 4; i2_129++) {
                        const float *local_130 = local_127 + i2_129 * 14;
                        float *y_131 = y_128 + i2_129 * 14;
                        for (int64_t i1_132 = 0; i1_132 < 7; i1_132++) {
                            const float *local_133 = local_130 + i1_132 * 58;
                            float *y_134 = y_131 + i1_132 * 56;
                            for (int64_t i2_135 = 0; i2_135 < 2; i2_135++) {
                                const float *local_136 = local_133 + i2_135 * 4;
                                float *y_137 = y_134 + i2_135 * 4;
                                multiply_add_16x1x4x16x3x3_11(local_136, x_124, y_137);
                            }
                            {
                                const float *local_138 = local_133 + 8;
                                float *y_139 = y_134 + 8;
                                multiply_add_16x1x6x16x3x3_12(local_138, x_124, y_139);
                            }
                        }
                    }
                }
            }
        }
    }
}
