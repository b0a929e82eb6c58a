/*
 * transpose(f32[21,34], perm=(1,0)) -> f32[34,21]
 *
 * avx2, 1 thread, cycles by the model
 *
 * loop i1 by 32
 *   transpose i0=21 i1=32, lanes along i0
 *   leftover i1 2:
 *     loop i1 by 1
 *       map i0=21 i1=1, lanes along i0
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

static inline __attribute__((always_inline, unused)) f32x8 load_f32x8(const float *p)
{
    return *(const f32x8_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
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

static inline __attribute__((always_inline, unused)) f32x8 load_strided_f32x8(const float *p, int64_t stride, int n)
{
    return (f32x8){0 < n ? p[0 * stride] : 0, 1 < n ? p[1 * stride] : 0, 2 < n ? p[2 * stride] : 0, 3 < n ? p[3 * stride] : 0, 4 < n ? p[4 * stride] : 0, 5 < n ? p[5 * stride] : 0, 6 < n ? p[6 * stride] : 0, 7 < n ? p[7 * stride] : 0};
}



/* y[i1 i0] = p0[i0 i1], i0=21 i1=32, lanes along i0 */
static void transpose_21x32_0(const float *restrict p0, float *restrict y)
{
    for (int64_t i = 0; i < 2; i++) {
        for (int64_t j = 0; j < 4; j++) {
            const float *s = p0 + i * 272 + j * 8;
            float *t = y + i * 8 + j * 168;
            const f32x8 r0 = load_f32x8(s);
            const f32x8 r1 = load_f32x8(s + 34);
            const f32x8 r2 = load_f32x8(s + 68);
            const f32x8 r3 = load_f32x8(s + 102);
            const f32x8 r4 = load_f32x8(s + 136);
            const f32x8 r5 = load_f32x8(s + 170);
            const f32x8 r6 = load_f32x8(s + 204);
            const f32x8 r7 = load_f32x8(s + 238);
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
            store_f32x8(t + 21, t4_1);
            store_f32x8(t + 42, t4_2);
            store_f32x8(t + 63, t4_3);
            store_f32x8(t + 84, t4_4);
            store_f32x8(t + 105, t4_5);
            store_f32x8(t + 126, t4_6);
            store_f32x8(t + 147, t4_7);
        }
    }
    for (int64_t j = 0; j < 4; j++) {
        const float *s = p0 + j * 8 + 544;
        float *t = y + j * 168 + 16;
        const f32x8 r0 = load_f32x8(s);
        const f32x8 r1 = load_f32x8(s + 34);
        const f32x8 r2 = load_f32x8(s + 68);
        const f32x8 r3 = load_f32x8(s + 102);
        const f32x8 r4 = load_f32x8(s + 136);
        const f32x8 r5 = (f32x8){0};
        const f32x8 r6 = (f32x8){0};
        const f32x8 r7 = (f32x8){0};
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
        store_tail_f32x8(t, t4_0, 5);
        store_tail_f32x8(t + 21, t4_1, 5);
        store_tail_f32x8(t + 42, t4_2, 5);
        store_tail_f32x8(t + 63, t4_3, 5);
        store_tail_f32x8(t + 84, t4_4, 5);
        store_tail_f32x8(t + 105, t4_5, 5);
        store_tail_f32x8(t + 126, t4_6, 5);
        store_tail_f32x8(t + 147, t4_7, 5);
    }
}

/* y[i1 i0] = p0[i0 i1], i0=21 i1=1, lanes along i0 */
static void map_21x1_1(const float *restrict p0, float *restrict y)
{
    {
        const f32x8 x0 = load_strided_f32x8(p0, 34, 8);
        store_f32x8(y, x0);
    }
    {
        const f32x8 x0 = load_strided_f32x8(p0 + 272, 34, 8);
        store_f32x8(y + 8, x0);
    }
    {
        const f32x8 x0 = load_strided_f32x8(p0 + 544, 34, 5);
        store_tail_f32x8(y + 16, x0, 5);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_copy_80ea877b_check(void)
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

uint32_t griotte_copy_80ea877b_abi(void)
{
    return 0x1890e88;
}

void griotte_copy_80ea877b(const float *x0, float *y)
{
    transpose_21x32_0(x0, y);
    {
        const float *x_1 = x0 + 32;
        float *y_2 = y + 672;
        for (int64_t i1_3 = 0; i1_3 < 2; i1_3++) {
            const float *x_4 = x_1 + i1_3;
            float *y_5 = y_2 + i1_3 * 21;
            map_21x1_1(x_4, y_5);
        }
    }
}
