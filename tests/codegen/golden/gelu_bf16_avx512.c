/*
 * gelu(bf16[77]) -> bf16[77]
 *
 * avx512, 1 thread, cycles by the model
 *
 * map i0=77, lanes along i0
 */
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x16 __attribute__((vector_size(64)));
typedef int16_t s16x16 __attribute__((vector_size(32)));
typedef int32_t s32x16 __attribute__((vector_size(64)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));
typedef uint16_t u16x16_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint32_t u32x16 __attribute__((vector_size(64)));

static inline __attribute__((always_inline, unused)) u32x16 convert_u16_to_u32_x16(u16x16 x)
{
    return (u32x16)_mm512_cvtepu16_epi32((__m256i)x);
}

static inline __attribute__((always_inline, unused)) f32x16 convert_bf16_to_f32_x16(u16x16 x)
{
    return (f32x16)(convert_u16_to_u32_x16(x) << 16);
}

static inline __attribute__((always_inline, unused)) u16x16 load_u16x16(const uint16_t *p)
{
    return *(const u16x16_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x16 at_most_f32x16(f32x16 x, f32x16 high)
{
    return (f32x16)_mm512_min_ps((__m512)high, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x16 abs_f32x16(f32x16 x)
{
    return (f32x16)((u32x16)x & ~0x80000000u);
}

static inline __attribute__((always_inline, unused)) f32x16 at_least_f32x16(f32x16 x, f32x16 low)
{
    return (f32x16)_mm512_max_ps((__m512)low, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x16 scale_f32x16(f32x16 x, f32x16 n)
{
    return (f32x16)_mm512_scalef_ps((__m512)x, (__m512)n);
}

static inline __attribute__((always_inline, unused)) f32x16 exp_sum_f32x16(f32x16 x, f32x16 low)
{
    x = at_most_f32x16(at_least_f32x16(x, ((f32x16){0} + (-104.0f))), ((f32x16){0} + 89.0f));
    f32x16 n = (x * 1.4426950408889634f + 12582912.0f) - 12582912.0f;
    f32x16 r = (x - n * 0.693359375f) - n * (-0.00021219444f) + low;
    f32x16 p = ((((((f32x16){0} + 0.001395054f) * r + 0.008368918f) * r + 0.041666206f) * r + 0.16666518f) * r + 0.5f);
    return scale_f32x16((p * (r * r) + r) + 1.0f, n);
}

static inline __attribute__((always_inline, unused)) f32x16 relu_f32x16(f32x16 x)
{
    return at_least_f32x16(x, (f32x16){0});
}

static inline __attribute__((always_inline, unused)) f32x16 gelu_f32x16(f32x16 x)
{
    f32x16 t = at_most_f32x16(abs_f32x16(x), ((f32x16){0} + 14.5f));
    f32x16 w = 1.0f / (t + 3.5f), u = (t - 3.5f) * w;
    f32x16 q = (((((((((((f32x16){0} + 0.00011068807f) * u + 0.00042189597f) * u + (-0.00049494294f)) * u + (-0.0031753094f)) * u + 0.006493116f) * u + 0.017406378f) * u + (-0.11605304f)) * u + 0.31542504f) * u + (-0.5655618f)) * u + 0.74441606f) * w;
    f32x16 head = (f32x16)((u32x16)t & 0xfffff000u);
    f32x16 low = (t - head) * (t + head) * (-0.5f);
    f32x16 e = exp_sum_f32x16(head * head * (-0.5f), low);
    return relu_f32x16(x) - t * q * e;
}

static inline __attribute__((always_inline, unused)) u16x16 convert_f32_to_bf16_x16(f32x16 x)
{
    __m512i all = (__m512i)x, cut = _mm512_srli_epi32(all, 16);
    __m512i odd = _mm512_and_si512(cut, _mm512_set1_epi32(1));
    __m512i sum = _mm512_add_epi32(_mm512_add_epi32(all, _mm512_set1_epi32(0x7fff)), odd);
    __mmask16 nan = _mm512_cmp_ps_mask((__m512)x, (__m512)x, _CMP_UNORD_Q);
    __m512i result = _mm512_mask_or_epi32(_mm512_srli_epi32(sum, 16), nan, cut, _mm512_set1_epi32(0x40));
    return (u16x16)_mm512_cvtepi32_epi16(result);
}

static inline __attribute__((always_inline, unused)) void store_u16x16(uint16_t *p, u16x16 v)
{
    *(u16x16_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) u16x16 load_tail_u16x16(const uint16_t *p, int n)
{
    return (u16x16)_mm256_maskz_loadu_epi16((__mmask16)((1ull << n) - 1), p);
}

static inline __attribute__((always_inline, unused)) void store_tail_u16x16(uint16_t *p, u16x16 v, int n)
{
    _mm256_mask_storeu_epi16(p, (__mmask16)((1ull << n) - 1), (__m256i)v);
}



/* y[i0] = gelu(p0[i0]), i0=77, lanes along i0 */
static void map_77_0(const uint16_t *restrict p0, uint16_t *restrict y)
{
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0));
        store_u16x16(y, convert_f32_to_bf16_x16(gelu_f32x16(x0)));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 16));
        store_u16x16(y + 16, convert_f32_to_bf16_x16(gelu_f32x16(x0)));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 32));
        store_u16x16(y + 32, convert_f32_to_bf16_x16(gelu_f32x16(x0)));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 48));
        store_u16x16(y + 48, convert_f32_to_bf16_x16(gelu_f32x16(x0)));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 64, 13));
        store_tail_u16x16(y + 64, convert_f32_to_bf16_x16(gelu_f32x16(x0)), 13);
    }
}

void griotte_gelu_1e2d13f4(const uint16_t *x0, uint16_t *y)
{
    map_77_0(x0, y);
}
