static inline __attribute__((always_inline, unused)) f32x16 abs_f32x16(f32x16 x)
{
    return (f32x16)((u32x16)x & ~0x80000000u);
}

static inline __attribute__((always_inline, unused)) f32x16 add_f32x16(f32x16 x, f32x16 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) s32x16 add_s32x16(s32x16 x, s32x16 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) f32x16 and_more_f32x16(f32x16 x, f32x16 by)
{
    return (f32x16)_mm512_fmadd_ps((__m512)x, (__m512)by, (__m512)x);
}

static inline __attribute__((always_inline, unused)) int any_below_f32x16(f32x16 x, f32x16 low)
{
    return _mm512_cmp_ps_mask((__m512)x, (__m512)low, _CMP_NGE_UQ) != 0;
}

static inline __attribute__((always_inline, unused)) f32x16 at_least_f32x16(f32x16 x, f32x16 low)
{
    return (f32x16)_mm512_max_ps((__m512)low, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x4 at_least_f32x4(f32x4 x, f32x4 low)
{
    return (f32x4)_mm_max_ps((__m128)low, (__m128)x);
}

static inline __attribute__((always_inline, unused)) f32x8 at_least_f32x8(f32x8 x, f32x8 low)
{
    return (f32x8)_mm256_max_ps((__m256)low, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x16 at_most_f32x16(f32x16 x, f32x16 high)
{
    return (f32x16)_mm512_min_ps((__m512)high, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x16 blend_f32x16(s32x16 m, f32x16 x, f32x16 y)
{
    return (f32x16)(((s32x16)x & m) | ((s32x16)y & ~m));
}

static inline __attribute__((always_inline, unused)) f32x16 cleared_f32x16(s32x16 m, f32x16 x)
{
    return (f32x16)((s32x16)x & ~m);
}

static inline __attribute__((always_inline, unused)) f32x16 convert_bf16_to_f32_x16(u16x16 x)
{
    return (f32x16)(convert_u16_to_u32_x16(x) << 16);
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

static inline __attribute__((always_inline, unused)) s16x16 convert_s32_to_s16_x16(s32x16 x)
{
    return (s16x16)_mm512_cvtsepi32_epi16((__m512i)x);
}

static inline __attribute__((always_inline, unused)) u32x16 convert_u16_to_u32_x16(u16x16 x)
{
    return (u32x16)_mm512_cvtepu16_epi32((__m256i)x);
}

static inline __attribute__((always_inline, unused)) f32x16 gelu_f32x16(f32x16 x)
{
    if (__builtin_expect(any_below_f32x16(x, ((f32x16){0} + (-12.8f))), 0)) return gelu_wide_f32x16(x);
    f32x16 given = x, t = at_most_f32x16(abs_f32x16(x), ((f32x16){0} + 12.8f)), s = square_f32x16(t);
    f32x16 low = square_low_f32x16(t, s) * (-0.5f);
    x = s * (-0.5f);
    f32x16 moved = x * 1.4426950408889634f + 786432.0f, n = moved - 786432.0f;
    f32x16 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f + low, square = square_f32x16(r);
    f32x16 power = look_up_f32x16(moved, (f32x16){1.0f, 1.0442737340927124f, 1.0905077457427979f, 1.1387885808944702f, 1.1892070770263672f, 1.2418577671051025f, 1.2968395948410034f, 1.3542555570602417f, 1.4142135381698608f, 1.4768261909484863f, 1.5422108173370361f, 1.610490322113037f, 1.6817928552627563f, 1.7562521696090698f, 1.8340080976486206f, 1.9152065515518188f}), grown = power * ((((f32x16){0} + 0.16666718f) * r + ((f32x16){0} + 0.5000162f)) * square + (r + look_up_f32x16(moved, (f32x16){0.0f, 4.6285470810938714e-08f, (-1.1992157087749744e-08f), 4.7297823619335546e-08f, 3.193418086123237e-08f, 3.621057314345835e-08f, (-3.099072075830814e-08f), (-7.475213166483921e-09f), 1.711427132869866e-08f, (-3.047683423587662e-08f), 5.233334249811561e-09f, 6.107591622096154e-09f, (-1.4719605440187417e-08f), (-5.258795121182632e-09f), (-6.12825982414774e-09f), 5.140609214311149e-09f}))) + power;
    f32x16 z = scale_near_f32x16(grown, n, moved);
    f32x16 near = given * ((((((f32x16){0} + (-8.167606e-06f)) * (s * s) + (-0.0011880201f)) * (s * s) + (-0.06649054f)) * s + ((((f32x16){0} + 0.00011501915f) * (s * s) + 0.009974163f) * (s * s) + 0.3989423f)) * given + 0.5f);
    f32x16 u = ratio_f32x16(t - 3.0f, t + 3.0f);
    f32x16 far = at_least_f32x16(given, -(f32x16){0}) - ((((((f32x16){0} + (-3.968175e-05f)) * (u * u) + (-0.0017380117f)) * (u * u) + 0.09137673f) * (u * u) + 0.109875865f) * u + ((((((f32x16){0} + (-0.0005460223f)) * (u * u) + 0.0039657666f) * (u * u) + (-0.028858317f)) * (u * u) + (-0.13965735f)) * (u * u) + 0.36454186f)) * z;
    f32x16 found = select_lt_f32x16(t, ((f32x16){0} + 1.0f), near, far);
    return found;
}

static inline __attribute__((always_inline, unused)) f32x16 gelu_wide_f32x16(f32x16 x)
{
    f32x16 given = x, t = at_most_f32x16(abs_f32x16(x), ((f32x16){0} + 15.0f)), s = square_f32x16(t);
    f32x16 low = square_low_f32x16(t, s) * (-0.5f);
    x = s * (-0.5f);
    s32x16 deep = (s32x16)(t > ((f32x16){0} + 12.8f));
    s32x16 above = deep & (s32x16)(given > ((f32x16){0} + 0.0f));
    f32x16 moved = x * 1.4426950408889634f + 786432.0f, n = moved - 786432.0f;
    f32x16 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f + low, square = square_f32x16(r);
    moved = (f32x16)((u32x16)moved + ((u32x16)deep & 1600));
    f32x16 power = (f32x16)((u32x16)look_up_f32x16(moved, (f32x16){1.0f, 0.9908868670463562f, 0.9827538728713989f, 0.9756442904472351f, 0.9696035385131836f, 0.9646788835525513f, 0.9609197974205017f, 0.9583777785301208f, 0.9571067690849304f, 0.9571630954742432f, 0.9586054086685181f, 0.9614951610565186f, 0.9658964276313782f, 0.9718760848045349f, 0.9795040488243103f, 0.9888532757759094f}) + ((u32x16)moved << 19)), z = and_more_f32x16(power, (((f32x16){0} + 0.16666718f) * r + ((f32x16){0} + 0.5000162f)) * square + (r + look_up_f32x16(moved, (f32x16){0.0f, 4.6285470810938714e-08f, (-1.1992157087749744e-08f), 4.7297823619335546e-08f, 3.193418086123237e-08f, 3.621057314345835e-08f, (-3.099072075830814e-08f), (-7.475213166483921e-09f), 1.711427132869866e-08f, (-3.047683423587662e-08f), 5.233334249811561e-09f, 6.107591622096154e-09f, (-1.4719605440187417e-08f), (-5.258795121182632e-09f), (-6.12825982414774e-09f), 5.140609214311149e-09f})));
    z = cleared_f32x16(above, z);
    f32x16 near = given * ((((((f32x16){0} + (-8.167606e-06f)) * (s * s) + (-0.0011880201f)) * (s * s) + (-0.06649054f)) * s + ((((f32x16){0} + 0.00011501915f) * (s * s) + 0.009974163f) * (s * s) + 0.3989423f)) * given + 0.5f);
    f32x16 u = ratio_f32x16(t - 3.0f, t + 3.0f);
    f32x16 far = at_least_f32x16(given, -(f32x16){0}) - ((((((f32x16){0} + (-3.968175e-05f)) * (u * u) + (-0.0017380117f)) * (u * u) + 0.09137673f) * (u * u) + 0.109875865f) * u + ((((((f32x16){0} + (-0.0005460223f)) * (u * u) + 0.0039657666f) * (u * u) + (-0.028858317f)) * (u * u) + (-0.13965735f)) * (u * u) + 0.36454186f)) * z;
    f32x16 found = select_lt_f32x16(t, ((f32x16){0} + 1.0f), near, far);
    return settle_f32x16(found, deep & ~above);
}

static inline __attribute__((always_inline, unused)) f32x16 hold_f32x16(f32x16 x)
{
    __asm__("" : "+v"(x));
    return x;
}

static inline __attribute__((always_inline, unused)) s8x64 hold_s8x64(s8x64 x)
{
    __asm__("" : "+v"(x));
    return x;
}

static inline __attribute__((always_inline, unused)) f32x16 if_nan_f32x16(f32x16 t, f32x16 x, f32x16 y)
{
    return (f32x16)_mm512_mask_blend_ps(_mm512_cmp_ps_mask((__m512)t, (__m512)t, _CMP_UNORD_Q), (__m512)y, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x4 if_nan_f32x4(f32x4 t, f32x4 x, f32x4 y)
{
    return (f32x4)_mm_mask_blend_ps(_mm_cmp_ps_mask((__m128)t, (__m128)t, _CMP_UNORD_Q), (__m128)y, (__m128)x);
}

static inline __attribute__((always_inline, unused)) f32x8 if_nan_f32x8(f32x8 t, f32x8 x, f32x8 y)
{
    return (f32x8)_mm256_mask_blend_ps(_mm256_cmp_ps_mask((__m256)t, (__m256)t, _CMP_UNORD_Q), (__m256)y, (__m256)x);
}

static inline __attribute__((always_inline, unused)) u8x32 join_u8x32(u8x16 x, u8x16 y)
{
    return (u8x32)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)x), (__m128i)y, 1);
}

static inline __attribute__((always_inline, unused)) u8x64 join_u8x64(u8x32 x, u8x32 y)
{
    return (u8x64)_mm512_inserti64x4(_mm512_castsi256_si512((__m256i)x), (__m256i)y, 1);
}

static inline __attribute__((always_inline, unused)) f32x16 load_f32x16(const float *p)
{
    return *(const f32x16_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) s8x16 load_s8x16(const int8_t *p)
{
    return *(const s8x16_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) s8x64 load_s8x64(const int8_t *p)
{
    return *(const s8x64_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x16 load_tail_f32x16(const float *p, int n)
{
    return (f32x16)_mm512_maskz_loadu_epi32((__mmask16)((1ull << n) - 1), p);
}

static inline __attribute__((always_inline, unused)) s8x16 load_tail_s8x16(const int8_t *p, int n)
{
    return (s8x16)_mm_maskz_loadu_epi8((__mmask16)((1ull << n) - 1), p);
}

static inline __attribute__((always_inline, unused)) u16x16 load_tail_u16x16(const uint16_t *p, int n)
{
    return (u16x16)_mm256_maskz_loadu_epi16((__mmask16)((1ull << n) - 1), p);
}

static inline __attribute__((always_inline, unused)) u8x4 load_tail_u8x4(const uint8_t *p, int n)
{
    if (!__builtin_constant_p(n)) {
        u8x4 v = {0};
        __builtin_memcpy(&v, p, (size_t)n * sizeof(uint8_t));
        return v;
    }
    if (n == 4) return load_u8x4(p);
    uint32_t w = 0;
    if (n & 2) { uint16_t t; __builtin_memcpy(&t, p + (n & ~3), sizeof t); w |= (uint32_t)t << 8 * (n & ~3); }
    if (n & 1) { uint8_t t; __builtin_memcpy(&t, p + (n & ~1), sizeof t); w |= (uint32_t)t << 8 * (n & ~1); }
    u8x4 v;
    __builtin_memcpy(&v, &w, sizeof v);
    return v;
}

static inline __attribute__((always_inline, unused)) u16x16 load_u16x16(const uint16_t *p)
{
    return *(const u16x16_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) u8x4 load_u8x4(const uint8_t *p)
{
    return *(const u8x4_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x16 look_up_f32x16(f32x16 moved, f32x16 powers)
{
    return (f32x16)_mm512_permutexvar_ps((__m512i)moved, (__m512)powers);
}

static inline __attribute__((always_inline, unused)) f32x16 maximum_f32x16(f32x16 x, f32x16 y)
{
    return if_nan_f32x16(y, y, at_least_f32x16(x, y));
}

static inline __attribute__((always_inline, unused)) f32x4 maximum_f32x4(f32x4 x, f32x4 y)
{
    return if_nan_f32x4(y, y, at_least_f32x4(x, y));
}

static inline __attribute__((always_inline, unused)) f32x8 maximum_f32x8(f32x8 x, f32x8 y)
{
    return if_nan_f32x8(y, y, at_least_f32x8(x, y));
}

static inline __attribute__((always_inline, unused)) f32x16 ratio_f32x16(f32x16 x, f32x16 y)
{
    __m512 near = _mm512_rcp14_ps((__m512)y), found = _mm512_mul_ps((__m512)x, near), left = _mm512_fnmadd_ps(found, (__m512)y, (__m512)x);
    return (f32x16)_mm512_fmadd_ps(left, near, found);
}

static inline __attribute__((always_inline, unused)) float reduce_maximum_f32x16(f32x16 v)
{
    return reduce_maximum_f32x8(maximum_f32x8(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7), __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)));
}

static inline __attribute__((always_inline, unused)) float reduce_maximum_f32x4(f32x4 v)
{
    v = maximum_f32x4(v, __builtin_shufflevector(v, v, 2, 3, 2, 3));
    v = maximum_f32x4(v, __builtin_shufflevector(v, v, 1, 1, 2, 3));
    return v[0];
}

static inline __attribute__((always_inline, unused)) float reduce_maximum_f32x8(f32x8 v)
{
    return reduce_maximum_f32x4(maximum_f32x4(__builtin_shufflevector(v, v, 0, 1, 2, 3), __builtin_shufflevector(v, v, 4, 5, 6, 7)));
}

static inline __attribute__((always_inline, unused)) f32x16 scale_near_f32x16(f32x16 x, f32x16 n, f32x16 moved)
{
    (void)moved;
    return (f32x16)_mm512_scalef_ps((__m512)x, (__m512)n);
}

static inline __attribute__((always_inline, unused)) f32x16 select_f32x16(u8x16 p, f32x16 x, f32x16 y)
{
    return (f32x16)_mm512_mask_blend_epi32((__mmask16)_mm_test_epi8_mask((__m128i)p, (__m128i)p), (__m512i)y, (__m512i)x);
}

static inline __attribute__((always_inline, unused)) f32x16 select_lt_f32x16(f32x16 a, f32x16 b, f32x16 x, f32x16 y)
{
    return (f32x16)_mm512_mask_blend_ps(_mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ), (__m512)y, (__m512)x);
}

static inline __attribute__((always_inline, unused)) f32x16 settle_f32x16(f32x16 x, s32x16 deep)
{
    f32x16 size = abs_f32x16(x), least = ((f32x16){0} + 1.4901161193847656e-08f);
    u32x16 rounded = (u32x16)(size + least) - (u32x16)least, whole = (u32x16)size - (((u32x16){0} + 100) << 23);
    f32x16 found = blend_f32x16((s32x16)(size < least), (f32x16)rounded, (f32x16)whole);
    return blend_f32x16(deep, with_sign_f32x16(found, x), x);
}

static inline __attribute__((always_inline, unused)) f32x16 splat_f32x16(float x)
{
    return (f32x16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) s32x16 splat_s32x16(int32_t x)
{
    return (s32x16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) u32x16 splat_u32x16(uint32_t x)
{
    return (u32x16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x16 square_f32x16(f32x16 x)
{
    return (f32x16)_mm512_fmadd_ps((__m512)x, (__m512)x, _mm512_set1_ps(0x1p-50f));
}

static inline __attribute__((always_inline, unused)) f32x16 square_low_f32x16(f32x16 x, f32x16 s)
{
    return (f32x16)_mm512_fmsub_ps((__m512)x, (__m512)x, (__m512)s);
}

static inline __attribute__((always_inline, unused)) void store_f32x16(float *p, f32x16 v)
{
    *(f32x16_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_f32x8(float *p, f32x8 v)
{
    *(f32x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_s16x16(int16_t *p, s16x16 v)
{
    *(s16x16_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x16(float *p, f32x16 v, int n)
{
    _mm512_mask_storeu_epi32(p, (__mmask16)((1ull << n) - 1), (__m512i)v);
}

static inline __attribute__((always_inline, unused)) void store_tail_s16x16(int16_t *p, s16x16 v, int n)
{
    _mm256_mask_storeu_epi16(p, (__mmask16)((1ull << n) - 1), (__m256i)v);
}

static inline __attribute__((always_inline, unused)) void store_tail_u16x16(uint16_t *p, u16x16 v, int n)
{
    _mm256_mask_storeu_epi16(p, (__mmask16)((1ull << n) - 1), (__m256i)v);
}

static inline __attribute__((always_inline, unused)) void store_u16x16(uint16_t *p, u16x16 v)
{
    *(u16x16_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_u8x64(uint8_t *p, u8x64 v)
{
    *(u8x64_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x16 times_both_f32x16(f32x16 x, f32x16 high, f32x16 low, u32x16 large)
{
    __asm__("" : "+v"(x));
    __mmask16 is_large = _mm512_test_epi32_mask((__m512i)x, (__m512i)large);
    return (f32x16)_mm512_fmadd_ps((__m512)x, (__m512)high, _mm512_mask_mul_ps(_mm512_set1_ps(-0.0f), is_large, (__m512)x, (__m512)low));
}

static inline __attribute__((always_inline, unused)) f32x16 with_sign_f32x16(f32x16 x, f32x16 y)
{
    return (f32x16)((u32x16)x | ((u32x16)y & 0x80000000u));
}

