/*
 * gelu(f32[<=12,1024]) -> f32[<=12,1024]
 *
 * avx2, 2 threads, cycles by the model
 *
 * m = 1..2, at 2:
 *   map i0=2048, lanes along i0
 * m = 3..12, at 12:
 *   parallel i0 by 6144 over 2 threads
 *     map i0=6144, lanes along i0
 */
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

static inline __attribute__((always_inline, unused)) f32x8 load_f32x8(const float *p)
{
    return *(const f32x8_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x8 at_most_f32x8(f32x8 x, f32x8 high)
{
    return (f32x8)_mm256_min_ps((__m256)high, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 abs_f32x8(f32x8 x)
{
    return (f32x8)((u32x8)x & ~0x80000000u);
}

static inline __attribute__((always_inline, unused)) f32x8 at_least_f32x8(f32x8 x, f32x8 low)
{
    return (f32x8)_mm256_max_ps((__m256)low, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 scale_f32x8(f32x8 x, f32x8 n)
{
    s32x8 whole = (s32x8)(n + 12582912.0f) - (s32x8)((f32x8){0} + 12582912.0f);
    s32x8 first = whole >> 1, second = whole - first;
    f32x8 power = (f32x8)((u32x8)(first + 127) << 23);
    return x * power * (f32x8)((u32x8)(second + 127) << 23);
}

static inline __attribute__((always_inline, unused)) f32x8 exp_sum_f32x8(f32x8 x, f32x8 low)
{
    x = at_most_f32x8(at_least_f32x8(x, ((f32x8){0} + (-104.0f))), ((f32x8){0} + 89.0f));
    f32x8 n = (x * 1.4426950408889634f + 12582912.0f) - 12582912.0f;
    f32x8 r = (x - n * 0.693359375f) - n * (-0.00021219444f) + low;
    f32x8 p = ((((((f32x8){0} + 0.001395054f) * r + 0.008368918f) * r + 0.041666206f) * r + 0.16666518f) * r + 0.5f);
    return scale_f32x8((p * (r * r) + r) + 1.0f, n);
}

static inline __attribute__((always_inline, unused)) f32x8 relu_f32x8(f32x8 x)
{
    return at_least_f32x8(x, (f32x8){0});
}

static inline __attribute__((always_inline, unused)) f32x8 gelu_f32x8(f32x8 x)
{
    f32x8 t = at_most_f32x8(abs_f32x8(x), ((f32x8){0} + 14.5f));
    f32x8 w = 1.0f / (t + 3.5f), u = (t - 3.5f) * w;
    f32x8 q = (((((((((((f32x8){0} + 0.00011068807f) * u + 0.00042189597f) * u + (-0.00049494294f)) * u + (-0.0031753094f)) * u + 0.006493116f) * u + 0.017406378f) * u + (-0.11605304f)) * u + 0.31542504f) * u + (-0.5655618f)) * u + 0.74441606f) * w;
    f32x8 head = (f32x8)((u32x8)t & 0xfffff000u);
    f32x8 low = (t - head) * (t + head) * (-0.5f);
    f32x8 e = exp_sum_f32x8(head * head * (-0.5f), low);
    return relu_f32x8(x) - t * q * e;
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x8 load_tail_f32x8(const float *p, int n)
{
    return (f32x8)_mm256_maskload_epi32((const int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n));
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x8(float *p, f32x8 v, int n)
{
    _mm256_maskstore_epi32((int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n), (__m256i)v);
}



/* y[i0] = gelu(p0[i0]), i0=size, lanes along i0 */
static void map_any_0(int64_t size, const float *restrict p0, float *restrict y)
{
    const int64_t whole = size - size % 8;
    for (int64_t i = 0; i < whole; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        store_f32x8(y + i, gelu_f32x8(x0));
    }
    if (whole < size) {
        const f32x8 x0 = load_tail_f32x8(p0 + whole, (int)(size - whole));
        store_tail_f32x8(y + whole, gelu_f32x8(x0), (int)(size - whole));
    }
}

/* i0 up to 6144 */
static void by_size_7(int64_t size, const float *p0, float *y)
{
    switch (size / 512) {
        case 3 ... 12: {
            map_any_0(size, p0, y);
            break;
        }
    }
}

/* gelu 12288, for 1024 times 3..12 */
static void by_size_1_1(int64_t size, const float *p0, float *y)
{
    const int64_t share_2 = (size + 1) / 2;
#pragma omp parallel for num_threads(2) schedule(static)
    for (int64_t tile_3 = 0; tile_3 < (size + share_2 - 1) / share_2; tile_3++) {
        const float *p_5 = p0 + tile_3 * share_2;
        float *y_6 = y + tile_3 * share_2;
        const int64_t left_4 = size - tile_3 * share_2 < share_2 ? size - tile_3 * share_2 : share_2;
        by_size_7(left_4, p_5, y_6);
    }
}

/* i0 up to 12288 */
static void by_size_1(int64_t size, const float *p0, float *y)
{
    switch (size / 1024) {
        case 1 ... 2: {
            map_any_0(size, p0, y);
            break;
        }
        case 3 ... 12: {
            by_size_1_1(size, p0, y);
            break;
        }
    }
}

void griotte_gelu_e267d10c(int64_t m, const float *x0, float *y)
{
    by_size_1(m * 1024, x0, y);
}
