/*
 * transpose(f32[21,34], perm=(1,0)) -> f32[34,21]
 *
 * avx2, 1 thread, cycles by the model
 *
 * loop i1 by 1
 *   map i0=21 i1=1, lanes along i0
 */
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

static inline __attribute__((always_inline, unused)) f32x8 load_strided_f32x8(const float *p, int64_t stride, int n)
{
    return (f32x8){0 < n ? p[0 * stride] : 0, 1 < n ? p[1 * stride] : 0, 2 < n ? p[2 * stride] : 0, 3 < n ? p[3 * stride] : 0, 4 < n ? p[4 * stride] : 0, 5 < n ? p[5 * stride] : 0, 6 < n ? p[6 * stride] : 0, 7 < n ? p[7 * stride] : 0};
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x8(float *p, f32x8 v, int n)
{
    _mm256_maskstore_epi32((int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n), (__m256i)v);
}



/* y[i1 i0] = p0[i0 i1], i0=21 i1=1, lanes along i0 */
static void map_21x1_0(const float *restrict p0, float *restrict y)
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

void griotte_copy_80ea877b(const float *x0, float *y)
{
    for (int64_t i1_1 = 0; i1_1 < 34; i1_1++) {
        const float *x_2 = x0 + i1_1;
        float *y_3 = y + i1_1 * 21;
        map_21x1_0(x_2, y_3);
    }
}
