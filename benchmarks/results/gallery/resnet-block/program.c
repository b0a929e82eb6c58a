/* The part that costs most. */
/*
 * relu(add(add(conv2d(relu(add(conv2d(%x: f32[1,64,56,56], const f32[64,64,3,3], padding=1), const f32[64,1,1])), const f32[64,64,3,3], padding=1), const f32[64,1,1]), %x)) -> f32[1,64,56,56]
 *
 * native, 1 thread, 2.188e+07 cycles by the model
 *
 * buffer relu 64x56x56 f32 in L3
 *     ahead x2 64x64x3x3, panels of 16, once
 *         pack c=64 i=3 j=3 o=64, lanes along c
 *       view x2 64x64x3x3 -> L2
 *         conv2d in registers, the map after it done as it is stored
 *           copy x1 64x58x58 -> L3, compact
 *               window c=64 i=3 j=3 x=56 y=56, lanes along c
 *             loop y by 7
 *               loop y by 4
 *                 view relu 64x4x56 -> L2
 *                   loop x by 14
 *                     loop x by 8
 *                       loop x by 7
 *                         view x1 64x6x9 -> L1
 *                           view x3 64 -> L1
 *                             loop x by 4
 *                               loop o by 16
 *                                 loop y by 1
 *                                   registers relu 16x1x4  multiply_add o=16 y=1 x=4 c=64 i=3 j=3, lanes along o
 *                               leftover x 3:
 *                                 loop y by 2
 *                                   loop o by 16
 *                                     registers relu 16x2x3  multiply_add o=16 y=2 x=3 c=64 i=3 j=3, lanes along o
 *                         leftover x 1:
 *                           view x1 64x6x3 -> L1
 *                             view x3 64 -> L1
 *                               loop o by 16
 *                                 registers relu 16x4x1  multiply_add o=16 y=4 x=1 c=64 i=3 j=3, lanes along o
 *                       leftover x 6:
 *                         view x1 64x6x8 -> L1
 *                           view x3 64 -> L1
 *                             loop o by 16
 *                               loop y by 1
 *                                 registers relu 16x1x6  multiply_add o=16 y=1 x=6 c=64 i=3 j=3, lanes along o
 *                 leftover y 3:
 *                   view relu 64x3x56 -> L2
 *                     loop x by 14
 *                       loop x by 8
 *                         view x1 64x5x10 -> L1
 *                           view x3 64 -> L1
 *                             loop o by 16
 *                               loop x by 2
 *                                 registers relu 16x3x2  multiply_add o=16 y=3 x=2 c=64 i=3 j=3, lanes along o
 *                         leftover x 6:
 *                           view x1 64x5x8 -> L1
 *                             view x3 64 -> L1
 *                               loop y by 1
 *                                 loop o by 16
 *                                   registers relu 16x1x6  multiply_add o=16 y=1 x=6 c=64 i=3 j=3, lanes along o
 *   ahead x4 64x64x3x3, panels of 16, once
 *       pack c=64 d11=3 d12=3 o=64, lanes along c
 *     view x5 64 -> L1
 *       loop d9 by 7
 *         buffer conv2d 64x7x56 f32 in L2
 *             copy relu 64x9x58 -> L3, compact
 *                 window d10=56 d11=3 d12=3 d9=7 o=64, lanes along d10
 *               loop c by 48
 *                 view x4 48x64x3x3 -> L2
 *                   loop d10 by 14
 *                     loop d9 by 4
 *                       loop d10 by 8
 *                         view relu 64x6x10 -> L1
 *                           loop c by 16
 *                             loop d10 by 7
 *                               loop d10 by 4
 *                                 loop d9 by 1
 *                                   registers conv2d 16x1x4  multiply_add c=16 d9=1 d10=4 o=64 d11=3 d12=3, lanes along c
 *                                 leftover d10 3:
 *                                   loop d9 by 2
 *                                     registers conv2d 16x2x3  multiply_add c=16 d9=2 d10=3 o=64 d11=3 d12=3, lanes along c
 *                               leftover d10 1:
 *                                 registers conv2d 16x4x1  multiply_add c=16 d9=4 d10=1 o=64 d11=3 d12=3, lanes along c
 *                         leftover d10 6:
 *                           view relu 64x6x8 -> L1
 *                             loop c by 16
 *                               loop d9 by 1
 *                                 registers conv2d 16x1x6  multiply_add c=16 d9=1 d10=6 o=64 d11=3 d12=3, lanes along c
 *                       leftover d9 3:
 *                         loop d10 by 8
 *                           view relu 64x5x10 -> L1
 *                             loop c by 16
 *                               loop d10 by 2
 *                                 registers conv2d 16x3x2  multiply_add c=16 d9=3 d10=2 o=64 d11=3 d12=3, lanes along c
 *                           leftover d10 6:
 *                             view relu 64x5x8 -> L1
 *                               loop c by 16
 *                                 loop d9 by 1
 *                                   registers conv2d 16x1x6  multiply_add c=16 d9=1 d10=6 o=64 d11=3 d12=3, lanes along c
 *                 leftover c 16:
 *                   view x4 16x64x3x3 -> L2
 *                     loop d10 by 14
 *                       view relu 64x9x16 -> L2
 *                         loop d9 by 4
 *                           loop d10 by 8
 *                             view relu 64x6x10 -> L1
 *                               loop d10 by 7
 *                                 loop d10 by 4
 *                                   loop d9 by 1
 *                                     registers conv2d 16x1x4  multiply_add c=16 d9=1 d10=4 o=64 d11=3 d12=3, lanes along c
 *                                   leftover d10 3:
 *                                     loop d9 by 2
 *                                       registers conv2d 16x2x3  multiply_add c=16 d9=2 d10=3 o=64 d11=3 d12=3, lanes along c
 *                                 leftover d10 1:
 *                                   registers conv2d 16x4x1  multiply_add c=16 d9=4 d10=1 o=64 d11=3 d12=3, lanes along c
 *                             leftover d10 6:
 *                               view relu 64x6x8 -> L1
 *                                 loop d9 by 1
 *                                   registers conv2d 16x1x6  multiply_add c=16 d9=1 d10=6 o=64 d11=3 d12=3, lanes along c
 *                           leftover d9 3:
 *                             loop d10 by 8
 *                               view relu 64x5x10 -> L1
 *                                 loop d10 by 2
 *                                   registers conv2d 16x3x2  multiply_add c=16 d9=3 d10=2 o=64 d11=3 d12=3, lanes along c
 *                               leftover d10 6:
 *                                 view relu 64x5x8 -> L1
 *                                   loop d9 by 1
 *                                     registers conv2d 16x1x6  multiply_add c=16 d9=1 d10=6 o=64 d11=3 d12=3, lanes along c
 *           loop c by 6
 *             view y 6x7x56 -> L1
 *               loop c by 1
 *                 loop d9 by 1
 *                   map c=1 d9=1 d10=56, lanes along d10
 *             leftover c 4:
 *               view y 4x7x56 -> L1
 *                 loop c by 1
 *                   loop d9 by 1
 *                     map c=1 d9=1 d10=56, lanes along d10
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

static inline __attribute__((always_inline, unused)) f32x8 at_least_f32x8(f32x8 x, f32x8 low)
{
    return (f32x8)_mm256_max_ps((__m256)low, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 relu_f32x8(f32x8 x)
{
    return at_least_f32x8(x, (f32x8){0});
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


static _Thread_local float buffer_1_thread[200704] __attribute__((aligned(64)));
static _Thread_local float local_2_thread[215296] __attribute__((aligned(64)));
static _Thread_local float local_65_thread[33408] __attribute__((aligned(64)));

/* y[o y x] = add of mul(p0[c y+i x+j], p1[o c i j]), o=16 y=1 x=4 c=64 i=3 j=3, lanes along o */
static __attribute__((noinline)) void multiply_add_16x1x4x64x3x3_0(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
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
    for (int64_t c = 0; c < 64; c += 1) {
        for (int64_t i = 0; i < 3; i += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[c * 3364 + i * 58 + 4]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[c * 3364 + i * 58 + 5]);
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
        const f32x8 r0 = relu_f32x8((load_f32x8(p2) + c0_0_0));
        const f32x8 r1 = relu_f32x8((load_f32x8(p2) + c0_1_0));
        const f32x8 r2 = relu_f32x8((load_f32x8(p2) + c0_2_0));
        const f32x8 r3 = relu_f32x8((load_f32x8(p2) + c0_3_0));
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
        const f32x8 r0 = relu_f32x8((load_f32x8(p2 + 8) + c0_0_1));
        const f32x8 r1 = relu_f32x8((load_f32x8(p2 + 8) + c0_1_1));
        const f32x8 r2 = relu_f32x8((load_f32x8(p2 + 8) + c0_2_1));
        const f32x8 r3 = relu_f32x8((load_f32x8(p2 + 8) + c0_3_1));
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

/* y[o y x] = add of mul(p0[c y+i x+j], p1[o c i j]), o=16 y=2 x=3 c=64 i=3 j=3, lanes along o */
static __attribute__((noinline)) void multiply_add_16x2x3x64x3x3_1(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
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
    for (int64_t c = 0; c < 64; c += 1) {
        for (int64_t i = 0; i < 3; i += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 60]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 61]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 62]);
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
    store_strided_f32x8(y, relu_f32x8((load_f32x8(p2) + c0_0_0)), 3136, 8);
    store_strided_f32x8(y + 25088, relu_f32x8((load_f32x8(p2 + 8) + c0_0_1)), 3136, 8);
    store_strided_f32x8(y + 1, relu_f32x8((load_f32x8(p2) + c0_1_0)), 3136, 8);
    store_strided_f32x8(y + 25089, relu_f32x8((load_f32x8(p2 + 8) + c0_1_1)), 3136, 8);
    store_strided_f32x8(y + 2, relu_f32x8((load_f32x8(p2) + c0_2_0)), 3136, 8);
    store_strided_f32x8(y + 25090, relu_f32x8((load_f32x8(p2 + 8) + c0_2_1)), 3136, 8);
    store_strided_f32x8(y + 56, relu_f32x8((load_f32x8(p2) + c1_0_0)), 3136, 8);
    store_strided_f32x8(y + 25144, relu_f32x8((load_f32x8(p2 + 8) + c1_0_1)), 3136, 8);
    store_strided_f32x8(y + 57, relu_f32x8((load_f32x8(p2) + c1_1_0)), 3136, 8);
    store_strided_f32x8(y + 25145, relu_f32x8((load_f32x8(p2 + 8) + c1_1_1)), 3136, 8);
    store_strided_f32x8(y + 58, relu_f32x8((load_f32x8(p2) + c1_2_0)), 3136, 8);
    store_strided_f32x8(y + 25146, relu_f32x8((load_f32x8(p2 + 8) + c1_2_1)), 3136, 8);
}

/* y[o y x] = add of mul(p0[c y+i x+j], p1[o c i j]), o=16 y=4 x=1 c=64 i=3 j=3, lanes along o */
static __attribute__((noinline)) void multiply_add_16x4x1x64x3x3_2(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
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
    for (int64_t c = 0; c < 64; c += 1) {
        for (int64_t i = 0; i < 3; i += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 174]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 175]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 176]);
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
    store_strided_f32x8(y, relu_f32x8((load_f32x8(p2) + c0_0_0)), 3136, 8);
    store_strided_f32x8(y + 25088, relu_f32x8((load_f32x8(p2 + 8) + c0_0_1)), 3136, 8);
    store_strided_f32x8(y + 56, relu_f32x8((load_f32x8(p2) + c1_0_0)), 3136, 8);
    store_strided_f32x8(y + 25144, relu_f32x8((load_f32x8(p2 + 8) + c1_0_1)), 3136, 8);
    store_strided_f32x8(y + 112, relu_f32x8((load_f32x8(p2) + c2_0_0)), 3136, 8);
    store_strided_f32x8(y + 25200, relu_f32x8((load_f32x8(p2 + 8) + c2_0_1)), 3136, 8);
    store_strided_f32x8(y + 168, relu_f32x8((load_f32x8(p2) + c3_0_0)), 3136, 8);
    store_strided_f32x8(y + 25256, relu_f32x8((load_f32x8(p2 + 8) + c3_0_1)), 3136, 8);
}

/* y[o y x] = add of mul(p0[c y+i x+j], p1[o c i j]), o=16 y=1 x=6 c=64 i=3 j=3, lanes along o */
static __attribute__((noinline)) void multiply_add_16x1x6x64x3x3_3(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
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
    for (int64_t c = 0; c < 64; c += 1) {
        for (int64_t i = 0; i < 3; i += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[c * 3364 + i * 58 + 4]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[c * 3364 + i * 58 + 5]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[c * 3364 + i * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[c * 3364 + i * 58 + 5]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[c * 3364 + i * 58 + 6]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[c * 3364 + i * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[c * 3364 + i * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[c * 3364 + i * 58 + 6]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[c * 3364 + i * 58 + 7]);
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
        const f32x8 r0 = relu_f32x8((load_f32x8(p2) + c0_0_0));
        const f32x8 r1 = relu_f32x8((load_f32x8(p2) + c0_1_0));
        const f32x8 r2 = relu_f32x8((load_f32x8(p2) + c0_2_0));
        const f32x8 r3 = relu_f32x8((load_f32x8(p2) + c0_3_0));
        const f32x8 r4 = relu_f32x8((load_f32x8(p2) + c0_4_0));
        const f32x8 r5 = relu_f32x8((load_f32x8(p2) + c0_5_0));
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
        const f32x8 r0 = relu_f32x8((load_f32x8(p2 + 8) + c0_0_1));
        const f32x8 r1 = relu_f32x8((load_f32x8(p2 + 8) + c0_1_1));
        const f32x8 r2 = relu_f32x8((load_f32x8(p2 + 8) + c0_2_1));
        const f32x8 r3 = relu_f32x8((load_f32x8(p2 + 8) + c0_3_1));
        const f32x8 r4 = relu_f32x8((load_f32x8(p2 + 8) + c0_4_1));
        const f32x8 r5 = relu_f32x8((load_f32x8(p2 + 8) + c0_5_1));
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

/* y[o y x] = add of mul(p0[c y+i x+j], p1[o c i j]), o=16 y=3 x=2 c=64 i=3 j=3, lanes along o */
static __attribute__((noinline)) void multiply_add_16x3x2x64x3x3_4(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
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
    for (int64_t c = 0; c < 64; c += 1) {
        for (int64_t i = 0; i < 3; i += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 117]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 118]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + c * 144 + i * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[c * 3364 + i * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[c * 3364 + i * 58 + 119]);
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
    store_strided_f32x8(y, relu_f32x8((load_f32x8(p2) + c0_0_0)), 3136, 8);
    store_strided_f32x8(y + 25088, relu_f32x8((load_f32x8(p2 + 8) + c0_0_1)), 3136, 8);
    store_strided_f32x8(y + 1, relu_f32x8((load_f32x8(p2) + c0_1_0)), 3136, 8);
    store_strided_f32x8(y + 25089, relu_f32x8((load_f32x8(p2 + 8) + c0_1_1)), 3136, 8);
    store_strided_f32x8(y + 56, relu_f32x8((load_f32x8(p2) + c1_0_0)), 3136, 8);
    store_strided_f32x8(y + 25144, relu_f32x8((load_f32x8(p2 + 8) + c1_0_1)), 3136, 8);
    store_strided_f32x8(y + 57, relu_f32x8((load_f32x8(p2) + c1_1_0)), 3136, 8);
    store_strided_f32x8(y + 25145, relu_f32x8((load_f32x8(p2 + 8) + c1_1_1)), 3136, 8);
    store_strided_f32x8(y + 112, relu_f32x8((load_f32x8(p2) + c2_0_0)), 3136, 8);
    store_strided_f32x8(y + 25200, relu_f32x8((load_f32x8(p2 + 8) + c2_0_1)), 3136, 8);
    store_strided_f32x8(y + 113, relu_f32x8((load_f32x8(p2) + c2_1_0)), 3136, 8);
    store_strided_f32x8(y + 25201, relu_f32x8((load_f32x8(p2 + 8) + c2_1_1)), 3136, 8);
}

/* y[c y+i x+j] = p0[c y+i x+j], c=64 i=3 j=3 x=56 y=56, lanes along c */
static void window_64x3x3x56x56_5(int64_t p0_1, int64_t p0_2, const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 64; i0++) {
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

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=1 d10=4 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x1x4x64x3x3_6(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 392, 1);
    __builtin_prefetch(y + 392 + 3, 1);
    __builtin_prefetch(y + 784, 1);
    __builtin_prefetch(y + 784 + 3, 1);
    __builtin_prefetch(y + 1176, 1);
    __builtin_prefetch(y + 1176 + 3, 1);
    __builtin_prefetch(y + 1568, 1);
    __builtin_prefetch(y + 1568 + 3, 1);
    __builtin_prefetch(y + 1960, 1);
    __builtin_prefetch(y + 1960 + 3, 1);
    __builtin_prefetch(y + 2352, 1);
    __builtin_prefetch(y + 2352 + 3, 1);
    __builtin_prefetch(y + 2744, 1);
    __builtin_prefetch(y + 2744 + 3, 1);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 3136, 1);
    __builtin_prefetch(y + 3136 + 3, 1);
    __builtin_prefetch(y + 3136 + 392, 1);
    __builtin_prefetch(y + 3136 + 392 + 3, 1);
    __builtin_prefetch(y + 3136 + 784, 1);
    __builtin_prefetch(y + 3136 + 784 + 3, 1);
    __builtin_prefetch(y + 3136 + 1176, 1);
    __builtin_prefetch(y + 3136 + 1176 + 3, 1);
    __builtin_prefetch(y + 3136 + 1568, 1);
    __builtin_prefetch(y + 3136 + 1568 + 3, 1);
    __builtin_prefetch(y + 3136 + 1960, 1);
    __builtin_prefetch(y + 3136 + 1960 + 3, 1);
    __builtin_prefetch(y + 3136 + 2352, 1);
    __builtin_prefetch(y + 3136 + 2352 + 3, 1);
    __builtin_prefetch(y + 3136 + 2744, 1);
    __builtin_prefetch(y + 3136 + 2744 + 3, 1);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
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
        store_tail_f32x8(y + 392, t4_1, 4);
        store_tail_f32x8(y + 784, t4_2, 4);
        store_tail_f32x8(y + 1176, t4_3, 4);
        store_tail_f32x8(y + 1568, t4_4, 4);
        store_tail_f32x8(y + 1960, t4_5, 4);
        store_tail_f32x8(y + 2352, t4_6, 4);
        store_tail_f32x8(y + 2744, t4_7, 4);
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
        store_tail_f32x8(y + 3136, t4_0, 4);
        store_tail_f32x8(y + 3528, t4_1, 4);
        store_tail_f32x8(y + 3920, t4_2, 4);
        store_tail_f32x8(y + 4312, t4_3, 4);
        store_tail_f32x8(y + 4704, t4_4, 4);
        store_tail_f32x8(y + 5096, t4_5, 4);
        store_tail_f32x8(y + 5488, t4_6, 4);
        store_tail_f32x8(y + 5880, t4_7, 4);
    }
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=2 d10=3 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x2x3x64x3x3_7(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 61]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 62]);
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
    store_strided_f32x8(y, c0_0_0, 392, 8);
    store_strided_f32x8(y + 3136, c0_0_1, 392, 8);
    store_strided_f32x8(y + 1, c0_1_0, 392, 8);
    store_strided_f32x8(y + 3137, c0_1_1, 392, 8);
    store_strided_f32x8(y + 2, c0_2_0, 392, 8);
    store_strided_f32x8(y + 3138, c0_2_1, 392, 8);
    store_strided_f32x8(y + 56, c1_0_0, 392, 8);
    store_strided_f32x8(y + 3192, c1_0_1, 392, 8);
    store_strided_f32x8(y + 57, c1_1_0, 392, 8);
    store_strided_f32x8(y + 3193, c1_1_1, 392, 8);
    store_strided_f32x8(y + 58, c1_2_0, 392, 8);
    store_strided_f32x8(y + 3194, c1_2_1, 392, 8);
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=4 d10=1 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x4x1x64x3x3_8(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c1_0_0 = splat_f32x8(0.0f);
    f32x8 c1_0_1 = splat_f32x8(0.0f);
    f32x8 c2_0_0 = splat_f32x8(0.0f);
    f32x8 c2_0_1 = splat_f32x8(0.0f);
    f32x8 c3_0_0 = splat_f32x8(0.0f);
    f32x8 c3_0_1 = splat_f32x8(0.0f);
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 174]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 175]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 176]);
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
    store_strided_f32x8(y, c0_0_0, 392, 8);
    store_strided_f32x8(y + 3136, c0_0_1, 392, 8);
    store_strided_f32x8(y + 56, c1_0_0, 392, 8);
    store_strided_f32x8(y + 3192, c1_0_1, 392, 8);
    store_strided_f32x8(y + 112, c2_0_0, 392, 8);
    store_strided_f32x8(y + 3248, c2_0_1, 392, 8);
    store_strided_f32x8(y + 168, c3_0_0, 392, 8);
    store_strided_f32x8(y + 3304, c3_0_1, 392, 8);
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=1 d10=6 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x1x6x64x3x3_9(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 5, 1);
    __builtin_prefetch(y + 392, 1);
    __builtin_prefetch(y + 392 + 5, 1);
    __builtin_prefetch(y + 784, 1);
    __builtin_prefetch(y + 784 + 5, 1);
    __builtin_prefetch(y + 1176, 1);
    __builtin_prefetch(y + 1176 + 5, 1);
    __builtin_prefetch(y + 1568, 1);
    __builtin_prefetch(y + 1568 + 5, 1);
    __builtin_prefetch(y + 1960, 1);
    __builtin_prefetch(y + 1960 + 5, 1);
    __builtin_prefetch(y + 2352, 1);
    __builtin_prefetch(y + 2352 + 5, 1);
    __builtin_prefetch(y + 2744, 1);
    __builtin_prefetch(y + 2744 + 5, 1);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 3136, 1);
    __builtin_prefetch(y + 3136 + 5, 1);
    __builtin_prefetch(y + 3136 + 392, 1);
    __builtin_prefetch(y + 3136 + 392 + 5, 1);
    __builtin_prefetch(y + 3136 + 784, 1);
    __builtin_prefetch(y + 3136 + 784 + 5, 1);
    __builtin_prefetch(y + 3136 + 1176, 1);
    __builtin_prefetch(y + 3136 + 1176 + 5, 1);
    __builtin_prefetch(y + 3136 + 1568, 1);
    __builtin_prefetch(y + 3136 + 1568 + 5, 1);
    __builtin_prefetch(y + 3136 + 1960, 1);
    __builtin_prefetch(y + 3136 + 1960 + 5, 1);
    __builtin_prefetch(y + 3136 + 2352, 1);
    __builtin_prefetch(y + 3136 + 2352 + 5, 1);
    __builtin_prefetch(y + 3136 + 2744, 1);
    __builtin_prefetch(y + 3136 + 2744 + 5, 1);
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
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 6]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 6]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 7]);
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
        store_tail_f32x8(y + 392, t4_1, 6);
        store_tail_f32x8(y + 784, t4_2, 6);
        store_tail_f32x8(y + 1176, t4_3, 6);
        store_tail_f32x8(y + 1568, t4_4, 6);
        store_tail_f32x8(y + 1960, t4_5, 6);
        store_tail_f32x8(y + 2352, t4_6, 6);
        store_tail_f32x8(y + 2744, t4_7, 6);
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
        store_tail_f32x8(y + 3136, t4_0, 6);
        store_tail_f32x8(y + 3528, t4_1, 6);
        store_tail_f32x8(y + 3920, t4_2, 6);
        store_tail_f32x8(y + 4312, t4_3, 6);
        store_tail_f32x8(y + 4704, t4_4, 6);
        store_tail_f32x8(y + 5096, t4_5, 6);
        store_tail_f32x8(y + 5488, t4_6, 6);
        store_tail_f32x8(y + 5880, t4_7, 6);
    }
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=3 d10=2 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x3x2x64x3x3_10(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 117]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 118]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 119]);
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
    store_strided_f32x8(y, c0_0_0, 392, 8);
    store_strided_f32x8(y + 3136, c0_0_1, 392, 8);
    store_strided_f32x8(y + 1, c0_1_0, 392, 8);
    store_strided_f32x8(y + 3137, c0_1_1, 392, 8);
    store_strided_f32x8(y + 56, c1_0_0, 392, 8);
    store_strided_f32x8(y + 3192, c1_0_1, 392, 8);
    store_strided_f32x8(y + 57, c1_1_0, 392, 8);
    store_strided_f32x8(y + 3193, c1_1_1, 392, 8);
    store_strided_f32x8(y + 112, c2_0_0, 392, 8);
    store_strided_f32x8(y + 3248, c2_0_1, 392, 8);
    store_strided_f32x8(y + 113, c2_1_0, 392, 8);
    store_strided_f32x8(y + 3249, c2_1_1, 392, 8);
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=1 d10=4 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x1x4x64x3x3_11(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 3, 1);
    __builtin_prefetch(y + 392, 1);
    __builtin_prefetch(y + 392 + 3, 1);
    __builtin_prefetch(y + 784, 1);
    __builtin_prefetch(y + 784 + 3, 1);
    __builtin_prefetch(y + 1176, 1);
    __builtin_prefetch(y + 1176 + 3, 1);
    __builtin_prefetch(y + 1568, 1);
    __builtin_prefetch(y + 1568 + 3, 1);
    __builtin_prefetch(y + 1960, 1);
    __builtin_prefetch(y + 1960 + 3, 1);
    __builtin_prefetch(y + 2352, 1);
    __builtin_prefetch(y + 2352 + 3, 1);
    __builtin_prefetch(y + 2744, 1);
    __builtin_prefetch(y + 2744 + 3, 1);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 3136, 1);
    __builtin_prefetch(y + 3136 + 3, 1);
    __builtin_prefetch(y + 3136 + 392, 1);
    __builtin_prefetch(y + 3136 + 392 + 3, 1);
    __builtin_prefetch(y + 3136 + 784, 1);
    __builtin_prefetch(y + 3136 + 784 + 3, 1);
    __builtin_prefetch(y + 3136 + 1176, 1);
    __builtin_prefetch(y + 3136 + 1176 + 3, 1);
    __builtin_prefetch(y + 3136 + 1568, 1);
    __builtin_prefetch(y + 3136 + 1568 + 3, 1);
    __builtin_prefetch(y + 3136 + 1960, 1);
    __builtin_prefetch(y + 3136 + 1960 + 3, 1);
    __builtin_prefetch(y + 3136 + 2352, 1);
    __builtin_prefetch(y + 3136 + 2352 + 3, 1);
    __builtin_prefetch(y + 3136 + 2744, 1);
    __builtin_prefetch(y + 3136 + 2744 + 3, 1);
    f32x8 c0_1_0 = splat_f32x8(0.0f);
    f32x8 c0_1_1 = splat_f32x8(0.0f);
    f32x8 c0_2_0 = splat_f32x8(0.0f);
    f32x8 c0_2_1 = splat_f32x8(0.0f);
    f32x8 c0_3_0 = splat_f32x8(0.0f);
    f32x8 c0_3_1 = splat_f32x8(0.0f);
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
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
        store_tail_f32x8(y + 392, t4_1, 4);
        store_tail_f32x8(y + 784, t4_2, 4);
        store_tail_f32x8(y + 1176, t4_3, 4);
        store_tail_f32x8(y + 1568, t4_4, 4);
        store_tail_f32x8(y + 1960, t4_5, 4);
        store_tail_f32x8(y + 2352, t4_6, 4);
        store_tail_f32x8(y + 2744, t4_7, 4);
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
        store_tail_f32x8(y + 3136, t4_0, 4);
        store_tail_f32x8(y + 3528, t4_1, 4);
        store_tail_f32x8(y + 3920, t4_2, 4);
        store_tail_f32x8(y + 4312, t4_3, 4);
        store_tail_f32x8(y + 4704, t4_4, 4);
        store_tail_f32x8(y + 5096, t4_5, 4);
        store_tail_f32x8(y + 5488, t4_6, 4);
        store_tail_f32x8(y + 5880, t4_7, 4);
    }
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=2 d10=3 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x2x3x64x3x3_12(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 61]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_1_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 62]);
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
    store_strided_f32x8(y, c0_0_0, 392, 8);
    store_strided_f32x8(y + 3136, c0_0_1, 392, 8);
    store_strided_f32x8(y + 1, c0_1_0, 392, 8);
    store_strided_f32x8(y + 3137, c0_1_1, 392, 8);
    store_strided_f32x8(y + 2, c0_2_0, 392, 8);
    store_strided_f32x8(y + 3138, c0_2_1, 392, 8);
    store_strided_f32x8(y + 56, c1_0_0, 392, 8);
    store_strided_f32x8(y + 3192, c1_0_1, 392, 8);
    store_strided_f32x8(y + 57, c1_1_0, 392, 8);
    store_strided_f32x8(y + 3193, c1_1_1, 392, 8);
    store_strided_f32x8(y + 58, c1_2_0, 392, 8);
    store_strided_f32x8(y + 3194, c1_2_1, 392, 8);
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=4 d10=1 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x4x1x64x3x3_13(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    f32x8 c1_0_0 = splat_f32x8(0.0f);
    f32x8 c1_0_1 = splat_f32x8(0.0f);
    f32x8 c2_0_0 = splat_f32x8(0.0f);
    f32x8 c2_0_1 = splat_f32x8(0.0f);
    f32x8 c3_0_0 = splat_f32x8(0.0f);
    f32x8 c3_0_1 = splat_f32x8(0.0f);
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 174]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 175]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_3_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 176]);
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
    store_strided_f32x8(y, c0_0_0, 392, 8);
    store_strided_f32x8(y + 3136, c0_0_1, 392, 8);
    store_strided_f32x8(y + 56, c1_0_0, 392, 8);
    store_strided_f32x8(y + 3192, c1_0_1, 392, 8);
    store_strided_f32x8(y + 112, c2_0_0, 392, 8);
    store_strided_f32x8(y + 3248, c2_0_1, 392, 8);
    store_strided_f32x8(y + 168, c3_0_0, 392, 8);
    store_strided_f32x8(y + 3304, c3_0_1, 392, 8);
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=1 d10=6 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x1x6x64x3x3_14(const float *restrict p0, const float *restrict p1, float *restrict y)
{
    f32x8 c0_0_0 = splat_f32x8(0.0f);
    __builtin_prefetch(y, 1);
    __builtin_prefetch(y + 5, 1);
    __builtin_prefetch(y + 392, 1);
    __builtin_prefetch(y + 392 + 5, 1);
    __builtin_prefetch(y + 784, 1);
    __builtin_prefetch(y + 784 + 5, 1);
    __builtin_prefetch(y + 1176, 1);
    __builtin_prefetch(y + 1176 + 5, 1);
    __builtin_prefetch(y + 1568, 1);
    __builtin_prefetch(y + 1568 + 5, 1);
    __builtin_prefetch(y + 1960, 1);
    __builtin_prefetch(y + 1960 + 5, 1);
    __builtin_prefetch(y + 2352, 1);
    __builtin_prefetch(y + 2352 + 5, 1);
    __builtin_prefetch(y + 2744, 1);
    __builtin_prefetch(y + 2744 + 5, 1);
    f32x8 c0_0_1 = splat_f32x8(0.0f);
    __builtin_prefetch(y + 3136, 1);
    __builtin_prefetch(y + 3136 + 5, 1);
    __builtin_prefetch(y + 3136 + 392, 1);
    __builtin_prefetch(y + 3136 + 392 + 5, 1);
    __builtin_prefetch(y + 3136 + 784, 1);
    __builtin_prefetch(y + 3136 + 784 + 5, 1);
    __builtin_prefetch(y + 3136 + 1176, 1);
    __builtin_prefetch(y + 3136 + 1176 + 5, 1);
    __builtin_prefetch(y + 3136 + 1568, 1);
    __builtin_prefetch(y + 3136 + 1568 + 5, 1);
    __builtin_prefetch(y + 3136 + 1960, 1);
    __builtin_prefetch(y + 3136 + 1960 + 5, 1);
    __builtin_prefetch(y + 3136 + 2352, 1);
    __builtin_prefetch(y + 3136 + 2352 + 5, 1);
    __builtin_prefetch(y + 3136 + 2744, 1);
    __builtin_prefetch(y + 3136 + 2744 + 5, 1);
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
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 6]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_0_2_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 4]);
                c0_2_0 += x0_0_2_0 * x1_0;
                c0_2_1 += x0_0_2_0 * x1_1;
                keep_f32x8(x0_0_2_0);
                const f32x8 x0_0_3_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 5]);
                c0_3_0 += x0_0_3_0 * x1_0;
                c0_3_1 += x0_0_3_0 * x1_1;
                keep_f32x8(x0_0_3_0);
                const f32x8 x0_0_4_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 6]);
                c0_4_0 += x0_0_4_0 * x1_0;
                c0_4_1 += x0_0_4_0 * x1_1;
                keep_f32x8(x0_0_4_0);
                const f32x8 x0_0_5_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 7]);
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
        store_tail_f32x8(y + 392, t4_1, 6);
        store_tail_f32x8(y + 784, t4_2, 6);
        store_tail_f32x8(y + 1176, t4_3, 6);
        store_tail_f32x8(y + 1568, t4_4, 6);
        store_tail_f32x8(y + 1960, t4_5, 6);
        store_tail_f32x8(y + 2352, t4_6, 6);
        store_tail_f32x8(y + 2744, t4_7, 6);
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
        store_tail_f32x8(y + 3136, t4_0, 6);
        store_tail_f32x8(y + 3528, t4_1, 6);
        store_tail_f32x8(y + 3920, t4_2, 6);
        store_tail_f32x8(y + 4312, t4_3, 6);
        store_tail_f32x8(y + 4704, t4_4, 6);
        store_tail_f32x8(y + 5096, t4_5, 6);
        store_tail_f32x8(y + 5488, t4_6, 6);
        store_tail_f32x8(y + 5880, t4_7, 6);
    }
}

/* y[c d9 d10] = add of mul(p0[o d9+d11 d10+d12], p1[c o d11 d12]), c=16 d9=3 d10=2 o=64 d11=3 d12=3, lanes along c */
static __attribute__((noinline)) void multiply_add_16x3x2x64x3x3_15(const float *restrict p0, const float *restrict p1, float *restrict y)
{
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
    for (int64_t o = 0; o < 64; o += 1) {
        for (int64_t d11 = 0; d11 < 3; d11 += 1) {
            {
                const float *q0 = p0;
                const float *q1 = p1;
                __asm__ volatile("" : "+r"(q0));
                __asm__ volatile("" : "+r"(q1));
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 8));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 58]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 116]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 117]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 1]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 16));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 24));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 59]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 117]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 118]);
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
                const f32x8 x0_0_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 2]);
                const f32x8 x1_0 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 32));
                c0_0_0 += x0_0_0_0 * x1_0;
                const f32x8 x1_1 = hold_f32x8(load_f32x8(q1 + o * 144 + d11 * 48 + 40));
                c0_0_1 += x0_0_0_0 * x1_1;
                keep_f32x8(x0_0_0_0);
                const f32x8 x0_0_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 3]);
                c0_1_0 += x0_0_1_0 * x1_0;
                c0_1_1 += x0_0_1_0 * x1_1;
                keep_f32x8(x0_0_1_0);
                const f32x8 x0_1_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 60]);
                c1_0_0 += x0_1_0_0 * x1_0;
                c1_0_1 += x0_1_0_0 * x1_1;
                keep_f32x8(x0_1_0_0);
                const f32x8 x0_1_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 61]);
                c1_1_0 += x0_1_1_0 * x1_0;
                c1_1_1 += x0_1_1_0 * x1_1;
                keep_f32x8(x0_1_1_0);
                const f32x8 x0_2_0_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 118]);
                c2_0_0 += x0_2_0_0 * x1_0;
                c2_0_1 += x0_2_0_0 * x1_1;
                keep_f32x8(x0_2_0_0);
                const f32x8 x0_2_1_0 = splat_f32x8(q0[o * 522 + d11 * 58 + 119]);
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
    store_strided_f32x8(y, c0_0_0, 392, 8);
    store_strided_f32x8(y + 3136, c0_0_1, 392, 8);
    store_strided_f32x8(y + 1, c0_1_0, 392, 8);
    store_strided_f32x8(y + 3137, c0_1_1, 392, 8);
    store_strided_f32x8(y + 56, c1_0_0, 392, 8);
    store_strided_f32x8(y + 3192, c1_0_1, 392, 8);
    store_strided_f32x8(y + 57, c1_1_0, 392, 8);
    store_strided_f32x8(y + 3193, c1_1_1, 392, 8);
    store_strided_f32x8(y + 112, c2_0_0, 392, 8);
    store_strided_f32x8(y + 3248, c2_0_1, 392, 8);
    store_strided_f32x8(y + 113, c2_1_0, 392, 8);
    store_strided_f32x8(y + 3249, c2_1_1, 392, 8);
}

/* y[o d9+d11 d10+d12] = p0[o d9+d11 d10+d12], d10=56 d11=3 d12=3 d9=7 o=64, lanes along d10 */
static void window_56x3x3x7x64_16(int64_t p0_1, int64_t p0_2, const float *restrict p0, float *restrict y)
{
    for (int64_t i0 = 0; i0 < 64; i0++) {
        for (int64_t i1 = 0; i1 < 9; i1++) {
            float *const t = y + i1 * 58 + i0 * 522;
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

/* y[c d9 d10] = relu(add(add(p1[c d9 d10], p2[c]), p0[c d9 d10])), c=1 d9=1 d10=56, lanes along d10 */
static void map_1x1x56_17(const float *restrict p0, const float *restrict p1, const float *restrict p2, float *restrict y)
{
    for (int64_t i = 0; i < 56; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        const f32x8 x1 = load_f32x8(p1 + i);
        const f32x8 x2 = splat_f32x8(*p2);
        store_f32x8(y + i, relu_f32x8(((x1 + x2) + x0)));
    }
}

/* y[o c i j] = p0[o c i j], c=64 i=3 j=3 o=64, lanes along c */
static void pack_64x3x3x64_18(const float *restrict p0, float *restrict y)
{
    for (int64_t i1 = 0; i1 < 64; i1++) {
        for (int64_t i2 = 0; i2 < 3; i2++) {
            for (int64_t p = 0; p < 4; p++) {
                {
                    float *t = y + i2 * 48 + i1 * 144 + p * 9216;
                    const float *s = p0 + i2 * 3 + i1 * 9 + p * 9216;
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
                    store_f32x8(t + 16, t4_1);
                    store_f32x8(t + 32, t4_2);
                }
                {
                    float *t = y + i2 * 48 + i1 * 144 + p * 9216 + 8;
                    const float *s = p0 + i2 * 3 + i1 * 9 + p * 9216 + 4608;
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
                    store_f32x8(t + 16, t4_1);
                    store_f32x8(t + 32, t4_2);
                }
            }
        }
    }
}

/* y[c o d11 d12] = p0[c o d11 d12], c=64 d11=3 d12=3 o=64, lanes along c */
static void pack_64x3x3x64_19(const float *restrict p0, float *restrict y)
{
    for (int64_t i1 = 0; i1 < 64; i1++) {
        for (int64_t i2 = 0; i2 < 3; i2++) {
            for (int64_t p = 0; p < 4; p++) {
                {
                    float *t = y + i2 * 48 + i1 * 144 + p * 9216;
                    const float *s = p0 + i2 * 3 + i1 * 9 + p * 9216;
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
                    store_f32x8(t + 16, t4_1);
                    store_f32x8(t + 32, t4_2);
                }
                {
                    float *t = y + i2 * 48 + i1 * 144 + p * 9216 + 8;
                    const float *s = p0 + i2 * 3 + i1 * 9 + p * 9216 + 4608;
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
                    store_f32x8(t + 16, t4_1);
                    store_f32x8(t + 32, t4_2);
                }
            }
        }
    }
}

/* x1 in panels of 16, for griotte_relu_17522f88 */
void griotte_relu_17522f88_pack_x1(const float *x1, void *packed_x1)
{
    float *const packed = packed_x1;
    pack_64x3x3x64_18(x1, packed);
}

/* x3 in panels of 16, for griotte_relu_17522f88 */
void griotte_relu_17522f88_pack_x3(const float *x3, void *packed_x3)
{
    float *const packed = packed_x3;
    pack_64x3x3x64_19(x3, packed);
}

__attribute__((target("general-regs-only"))) const char *griotte_relu_17522f88_check(void)
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

uint32_t griotte_relu_17522f88_abi(void)
{
    return 0x1dbe367;
}

void griotte_relu_17522f88(const float *x0, const void *packed_x1, const float *x2, const void *packed_x3, const float *x4, float *y)
{
    const float *const x1 = packed_x1;
    const float *const x3 = packed_x3;
    float *local_65_own = local_65_thread;
    __asm__ volatile("" : "+r"(local_65_own));
    float *buffer_1_own = buffer_1_thread;
    __asm__ volatile("" : "+r"(buffer_1_own));
    float *local_2_own = local_2_thread;
    __asm__ volatile("" : "+r"(local_2_own));
    {
        float *const buffer_1 = buffer_1_own;
        {
            float *const local_2 = local_2_own;
            /* copy into compact, L3 */
            window_64x3x3x56x56_5(-1, -1, x0, local_2);
            for (int64_t y_3 = 0; y_3 < 8; y_3++) {
                const float *local_4 = local_2 + y_3 * 406;
                float *buffer_5 = buffer_1 + y_3 * 392;
                for (int64_t x_6 = 0; x_6 < 4; x_6++) {
                    const float *local_7 = local_4 + x_6 * 14;
                    float *buffer_8 = buffer_5 + x_6 * 14;
                    for (int64_t o_9 = 0; o_9 < 4; o_9++) {
                        const float *x_10 = x1 + o_9 * 9216;
                        const float *x_11 = x2 + o_9 * 16;
                        float *buffer_12 = buffer_8 + o_9 * 50176;
                        for (int64_t y_13 = 0; y_13 < 4; y_13++) {
                            const float *local_14 = local_7 + y_13 * 58;
                            float *buffer_15 = buffer_12 + y_13 * 56;
                            multiply_add_16x1x4x64x3x3_0(local_14, x_10, x_11, buffer_15);
                        }
                    }
                    {
                        const float *local_16 = local_7 + 4;
                        float *buffer_17 = buffer_8 + 4;
                        for (int64_t y_18 = 0; y_18 < 2; y_18++) {
                            const float *local_19 = local_16 + y_18 * 116;
                            float *buffer_20 = buffer_17 + y_18 * 112;
                            for (int64_t o_21 = 0; o_21 < 4; o_21++) {
                                const float *x_22 = x1 + o_21 * 9216;
                                const float *x_23 = x2 + o_21 * 16;
                                float *buffer_24 = buffer_20 + o_21 * 50176;
                                multiply_add_16x2x3x64x3x3_1(local_19, x_22, x_23, buffer_24);
                            }
                        }
                    }
                    {
                        const float *local_25 = local_7 + 7;
                        float *buffer_26 = buffer_8 + 7;
                        for (int64_t o_27 = 0; o_27 < 4; o_27++) {
                            const float *x_28 = x1 + o_27 * 9216;
                            const float *x_29 = x2 + o_27 * 16;
                            float *buffer_30 = buffer_26 + o_27 * 50176;
                            multiply_add_16x4x1x64x3x3_2(local_25, x_28, x_29, buffer_30);
                        }
                    }
                    {
                        const float *local_31 = local_7 + 8;
                        float *buffer_32 = buffer_8 + 8;
                        for (int64_t o_33 = 0; o_33 < 4; o_33++) {
                            const float *x_34 = x1 + o_33 * 9216;
                            const float *x_35 = x2 + o_33 * 16;
                            float *buffer_36 = buffer_32 + o_33 * 50176;
                            for (int64_t y_37 = 0; y_37 < 4; y_37++) {
                                const float *local_38 = local_31 + y_37 * 58;
                                float *buffer_39 = buffer_36 + y_37 * 56;
                                multiply_add_16x1x6x64x3x3_3(local_38, x_34, x_35, buffer_39);
                            }
                        }
                    }
                }
                {
                    const float *local_40 = local_4 + 232;
                    float *buffer_41 = buffer_5 + 224;
                    for (int64_t x_42 = 0; x_42 < 4; x_42++) {
                        const float *local_43 = local_40 + x_42 * 14;
                        float *buffer_44 = buffer_41 + x_42 * 14;
                        for (int64_t o_45 = 0; o_45 < 4; o_45++) {
                            const float *x_46 = x1 + o_45 * 9216;
                            const float *x_47 = x2 + o_45 * 16;
                            float *buffer_48 = buffer_44 + o_45 * 50176;
                            for (int64_t x_49 = 0; x_49 < 4; x_49++) {
                                const float *local_50 = local_43 + x_49 * 2;
                                float *buffer_51 = buffer_48 + x_49 * 2;
                                multiply_add_16x3x2x64x3x3_4(local_50, x_46, x_47, buffer_51);
                            }
                        }
                        {
                            const float *local_52 = local_43 + 8;
                            float *buffer_53 = buffer_44 + 8;
                            for (int64_t y_54 = 0; y_54 < 3; y_54++) {
                                const float *local_55 = local_52 + y_54 * 58;
                                float *buffer_56 = buffer_53 + y_54 * 56;
                                for (int64_t o_57 = 0; o_57 < 4; o_57++) {
                                    const float *x_58 = x1 + o_57 * 9216;
                                    const float *x_59 = x2 + o_57 * 16;
                                    float *buffer_60 = buffer_56 + o_57 * 50176;
                                    multiply_add_16x1x6x64x3x3_3(local_55, x_58, x_59, buffer_60);
                                }
                            }
                        }
                    }
                }
            }
        }
        for (int64_t d9_61 = 0; d9_61 < 8; d9_61++) {
            const float *x_62 = x0 + d9_61 * 392;
            float *y_63 = y + d9_61 * 392;
            {
                float *const buffer_64 = local_2_own;
                {
                    float *const local_65 = local_65_own;
                    /* copy into compact, L3 */
                    window_56x3x3x7x64_16(d9_61 * 7 + -1, -1, buffer_1, local_65);
                    for (int64_t d10_66 = 0; d10_66 < 4; d10_66++) {
                        const float *local_67 = local_65 + d10_66 * 14;
                        float *buffer_68 = buffer_64 + d10_66 * 14;
                        for (int64_t c_69 = 0; c_69 < 3; c_69++) {
                            const float *x_70 = x3 + c_69 * 9216;
                            float *buffer_71 = buffer_68 + c_69 * 6272;
                            for (int64_t d9_72 = 0; d9_72 < 4; d9_72++) {
                                const float *local_73 = local_67 + d9_72 * 58;
                                float *buffer_74 = buffer_71 + d9_72 * 56;
                                multiply_add_16x1x4x64x3x3_6(local_73, x_70, buffer_74);
                            }
                            {
                                const float *local_75 = local_67 + 4;
                                float *buffer_76 = buffer_71 + 4;
                                for (int64_t d9_77 = 0; d9_77 < 2; d9_77++) {
                                    const float *local_78 = local_75 + d9_77 * 116;
                                    float *buffer_79 = buffer_76 + d9_77 * 112;
                                    multiply_add_16x2x3x64x3x3_7(local_78, x_70, buffer_79);
                                }
                            }
                            {
                                const float *local_80 = local_67 + 7;
                                float *buffer_81 = buffer_71 + 7;
                                multiply_add_16x4x1x64x3x3_8(local_80, x_70, buffer_81);
                            }
                        }
                        {
                            const float *local_82 = local_67 + 8;
                            float *buffer_83 = buffer_68 + 8;
                            for (int64_t c_84 = 0; c_84 < 3; c_84++) {
                                const float *x_85 = x3 + c_84 * 9216;
                                float *buffer_86 = buffer_83 + c_84 * 6272;
                                for (int64_t d9_87 = 0; d9_87 < 4; d9_87++) {
                                    const float *local_88 = local_82 + d9_87 * 58;
                                    float *buffer_89 = buffer_86 + d9_87 * 56;
                                    multiply_add_16x1x6x64x3x3_9(local_88, x_85, buffer_89);
                                }
                            }
                        }
                        {
                            const float *local_90 = local_67 + 232;
                            float *buffer_91 = buffer_68 + 224;
                            for (int64_t c_92 = 0; c_92 < 3; c_92++) {
                                const float *x_93 = x3 + c_92 * 9216;
                                float *buffer_94 = buffer_91 + c_92 * 6272;
                                for (int64_t d10_95 = 0; d10_95 < 4; d10_95++) {
                                    const float *local_96 = local_90 + d10_95 * 2;
                                    float *buffer_97 = buffer_94 + d10_95 * 2;
                                    multiply_add_16x3x2x64x3x3_10(local_96, x_93, buffer_97);
                                }
                            }
                            {
                                const float *local_98 = local_90 + 8;
                                float *buffer_99 = buffer_91 + 8;
                                for (int64_t c_100 = 0; c_100 < 3; c_100++) {
                                    const float *x_101 = x3 + c_100 * 9216;
                                    float *buffer_102 = buffer_99 + c_100 * 6272;
                                    for (int64_t d9_103 = 0; d9_103 < 3; d9_103++) {
                                        const float *local_104 = local_98 + d9_103 * 58;
                                        float *buffer_105 = buffer_102 + d9_103 * 56;
                                        multiply_add_16x1x6x64x3x3_9(local_104, x_101, buffer_105);
                                    }
                                }
                            }
                        }
                    }
                    {
                        const float *x_106 = x3 + 27648;
                        float *buffer_107 = buffer_64 + 18816;
                        for (int64_t d10_108 = 0; d10_108 < 4; d10_108++) {
                            const float *local_109 = local_65 + d10_108 * 14;
                            float *buffer_110 = buffer_107 + d10_108 * 14;
                            for (int64_t d9_111 = 0; d9_111 < 4; d9_111++) {
                                const float *local_112 = local_109 + d9_111 * 58;
                                float *buffer_113 = buffer_110 + d9_111 * 56;
                                multiply_add_16x1x4x64x3x3_11(local_112, x_106, buffer_113);
                            }
                            {
                                const float *local_114 = local_109 + 4;
                                float *buffer_115 = buffer_110 + 4;
                                for (int64_t d9_116 = 0; d9_116 < 2; d9_116++) {
                                    const float *local_117 = local_114 + d9_116 * 116;
                                    float *buffer_118 = buffer_115 + d9_116 * 112;
                                    multiply_add_16x2x3x64x3x3_12(local_117, x_106, buffer_118);
                                }
                            }
                            {
                                const float *local_119 = local_109 + 7;
                                float *buffer_120 = buffer_110 + 7;
                                multiply_add_16x4x1x64x3x3_13(local_119, x_106, buffer_120);
                            }
                            {
                                const float *local_121 = local_109 + 8;
                                float *buffer_122 = buffer_110 + 8;
                                for (int64_t d9_123 = 0; d9_123 < 4; d9_123++) {
                                    const float *local_124 = local_121 + d9_123 * 58;
                                    float *buffer_125 = buffer_122 + d9_123 * 56;
                                    multiply_add_16x1x6x64x3x3_14(local_124, x_106, buffer_125);
                                }
                            }
                            {
                                const float *local_126 = local_109 + 232;
                                float *buffer_127 = buffer_110 + 224;
                                for (int64_t d10_128 = 0; d10_128 < 4; d10_128++) {
                                    const float *local_129 = local_126 + d10_128 * 2;
                                    float *buffer_130 = buffer_127 + d10_128 * 2;
                                    multiply_add_16x3x2x64x3x3_15(local_129, x_106, buffer_130);
                                }
                                {
                                    const float *local_131 = local_126 + 8;
                                    float *buffer_132 = buffer_127 + 8;
                                    for (int64_t d9_133 = 0; d9_133 < 3; d9_133++) {
                                        const float *local_134 = local_131 + d9_133 * 58;
                                        float *buffer_135 = buffer_132 + d9_133 * 56;
                                        multiply_add_16x1x6x64x3x3_14(local_134, x_106, buffer_135);
                                    }
                                }
                            }
                        }
                    }
                }
                for (int64_t c_136 = 0; c_136 < 10; c_136++) {
                    const float *x_137 = x_62 + c_136 * 18816;
                    const float *buffer_138 = buffer_64 + c_136 * 2352;
                    const float *x_139 = x4 + c_136 * 6;
                    float *y_140 = y_63 + c_136 * 18816;
                    for (int64_t c_141 = 0; c_141 < 6; c_141++) {
                        const float *x_142 = x_137 + c_141 * 3136;
                        const float *buffer_143 = buffer_138 + c_141 * 392;
                        const float *x_144 = x_139 + c_141;
                        float *y_145 = y_140 + c_141 * 3136;
                        for (int64_t d9_146 = 0; d9_146 < 7; d9_146++) {
                            const float *x_147 = x_142 + d9_146 * 56;
                            const float *buffer_148 = buffer_143 + d9_146 * 56;
                            float *y_149 = y_145 + d9_146 * 56;
                            map_1x1x56_17(x_147, buffer_148, x_144, y_149);
                        }
                    }
                }
                {
                    const float *x_150 = x_62 + 188160;
                    const float *buffer_151 = buffer_64 + 23520;
                    const float *x_152 = x4 + 60;
                    float *y_153 = y_63 + 188160;
                    for (int64_t c_154 = 0; c_154 < 4; c_154++) {
                        const float *x_155 = x_150 + c_154 * 3136;
                        const float *buffer_156 = buffer_151 + c_154 * 392;
                        const float *x_157 = x_152 + c_154;
                        float *y_158 = y_153 + c_154 * 3136;
                        for (int64_t d9_159 = 0; d9_159 < 7; d9_159++) {
                            const float *x_160 = x_155 + d9_159 * 56;
                            const float *buffer_161 = buffer_156 + d9_159 * 56;
                            float *y_162 = y_158 + d9_159 * 56;
                            map_1x1x56_17(x_160, buffer_161, x_157, y_162);
                        }
                    }
                }
            }
        }
    }
}
