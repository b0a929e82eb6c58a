/*
 * gelu(bf16[77]) -> bf16[77]
 *
 * avx512, 1 thread, cycles by the model
 *
 * map i0=77, lanes along i0
 */
#include <cpuid.h>
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

static inline __attribute__((always_inline, unused)) f32x16 ratio_f32x16(f32x16 x, f32x16 y)
{
    __m512 near = _mm512_rcp14_ps((__m512)y), found = _mm512_mul_ps((__m512)x, near), left = _mm512_fnmadd_ps(found, (__m512)y, (__m512)x);
    return (f32x16)_mm512_fmadd_ps(left, near, found);
}

static inline __attribute__((always_inline, unused)) f32x16 exp_bound_f32x16(f32x16 x)
{
    return x;
}

static inline __attribute__((always_inline, unused)) f32x16 exp_rest_f32x16(f32x16 x)
{
    return (f32x16)_mm512_range_ps((__m512)x, _mm512_set1_ps(0.5f), 2);
}

static inline __attribute__((always_inline, unused)) f32x16 look_up_f32x16(f32x16 moved, f32x16 powers)
{
    return (f32x16)_mm512_permutexvar_ps((__m512i)moved, (__m512)powers);
}

static inline __attribute__((always_inline, unused)) f32x16 scale_f32x16(f32x16 x, f32x16 n, f32x16 moved)
{
    __mmask16 kept = _mm512_cmp_ps_mask((__m512)n, _mm512_set1_ps(-160), _CMP_NLT_UQ);
    (void)moved;
    return (f32x16)_mm512_mask_scalef_ps(_mm512_and_ps((__m512)x, _mm512_set1_ps(-0.0f)), kept, (__m512)x, (__m512)n);
}

static inline __attribute__((always_inline, unused)) f32x16 exp_sum_f32x16(f32x16 x, f32x16 low)
{
    x = exp_bound_f32x16(x);
    f32x16 moved = x * 1.4426950408889634f + 786432.0f, n = moved - 786432.0f;
    f32x16 r = exp_rest_f32x16((x - n * 0.693115234375f) - n * 3.1946183e-05f + low), square = r * r;
    f32x16 power = look_up_f32x16(moved, (f32x16){1.0f, 1.0442737340927124f, 1.0905077457427979f, 1.1387885808944702f, 1.1892070770263672f, 1.2418577671051025f, 1.2968395948410034f, 1.3542555570602417f, 1.4142135381698608f, 1.4768261909484863f, 1.5422108173370361f, 1.610490322113037f, 1.6817928552627563f, 1.7562521696090698f, 1.8340080976486206f, 1.9152065515518188f}), grown = power * ((((f32x16){0} + 0.16666718f) * r + ((f32x16){0} + 0.5000162f)) * square + (r + look_up_f32x16(moved, (f32x16){0.0f, 4.6285470810938714e-08f, (-1.1992157087749744e-08f), 4.7297823619335546e-08f, 3.193418086123237e-08f, 3.621057314345835e-08f, (-3.099072075830814e-08f), (-7.475213166483921e-09f), 1.711427132869866e-08f, (-3.047683423587662e-08f), 5.233334249811561e-09f, 6.107591622096154e-09f, (-1.4719605440187417e-08f), (-5.258795121182632e-09f), (-6.12825982414774e-09f), 5.140609214311149e-09f}))) + power;
    return scale_f32x16(grown, n, moved);
}

static inline __attribute__((always_inline, unused)) f32x16 square_low_f32x16(f32x16 x, f32x16 s)
{
    return (f32x16)_mm512_fmsub_ps((__m512)x, (__m512)x, (__m512)s);
}

static inline __attribute__((always_inline, unused)) f32x16 at_least_f32x16(f32x16 x, f32x16 low)
{
    return (f32x16)_mm512_max_ps((__m512)low, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x16 select_lt_f32x16(f32x16 a, f32x16 b, f32x16 x, f32x16 y)
{
    return (f32x16)_mm512_mask_blend_ps(_mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ), (__m512)y, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x16 gelu_f32x16(f32x16 x)
{
    f32x16 t = at_most_f32x16(abs_f32x16(x), ((f32x16){0} + 17.0f)), s = t * t;
    f32x16 near = x * ((((((f32x16){0} + (-8.167606e-06f)) * (s * s) + (-0.0011880201f)) * (s * s) + (-0.06649054f)) * s + ((((f32x16){0} + 0.00011501915f) * (s * s) + 0.009974163f) * (s * s) + 0.3989423f)) * x + 0.5f);
    f32x16 u = ratio_f32x16(t - 3.0f, t + 3.0f);
    f32x16 e = exp_sum_f32x16(s * (-0.5f), square_low_f32x16(t, s) * (-0.5f));
    f32x16 far = at_least_f32x16(x, -(f32x16){0}) - ((((((f32x16){0} + (-3.968175e-05f)) * (u * u) + (-0.0017380117f)) * (u * u) + 0.09137673f) * (u * u) + 0.109875865f) * u + ((((((f32x16){0} + (-0.0005460223f)) * (u * u) + 0.0039657666f) * (u * u) + (-0.028858317f)) * (u * u) + (-0.13965735f)) * (u * u) + 0.36454186f)) * e;
    return select_lt_f32x16(t, ((f32x16){0} + 1.0f), near, far);
}

static inline __attribute__((always_inline, unused)) f32x16 hold_f32x16(f32x16 x)
{
    __asm__("" : "+v"(x));
    return x;
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
        store_u16x16(y, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 16));
        store_u16x16(y + 16, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 32));
        store_u16x16(y + 32, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_u16x16(p0 + 48));
        store_u16x16(y + 48, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))));
    }
    {
        const f32x16 x0 = convert_bf16_to_f32_x16(load_tail_u16x16(p0 + 64, 13));
        store_tail_u16x16(y + 64, convert_f32_to_bf16_x16(hold_f32x16(gelu_f32x16(x0))), 13);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_gelu_1e2d13f4_check(void)
{
    static const struct { const char *name; unsigned leaf, subleaf, word, bit, state; } needed[] = {
        {"avx", 1, 0, 2, 28, 0x6},
        {"fma", 1, 0, 2, 12, 0x6},
        {"f16c", 1, 0, 2, 29, 0x6},
        {"avx2", 7, 0, 1, 5, 0x6},
        {"avx512f", 7, 0, 1, 16, 0xe6},
        {"avx512dq", 7, 0, 1, 17, 0xe6},
        {"avx512bw", 7, 0, 1, 30, 0xe6},
        {"avx512vl", 7, 0, 1, 31, 0xe6},
        {"avx512_vnni", 7, 0, 2, 11, 0xe6},
        {"avx512_bf16", 7, 1, 0, 5, 0xe6}
    };
    unsigned leaves, basic[4], found[4], low = 0, high = 0;
    __cpuid(0, leaves, found[1], found[2], found[3]);
    __cpuid(1, basic[0], basic[1], basic[2], basic[3]);
    if (basic[2] >> 27 & 1) /* the system lets programs read XCR0 */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    for (int64_t i = 0; i < 10; i++) {
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

uint32_t griotte_gelu_1e2d13f4_abi(void)
{
    return 0x10b91f2;
}

void griotte_gelu_1e2d13f4(const uint16_t *x0, uint16_t *y)
{
    map_77_0(x0, y);
}
