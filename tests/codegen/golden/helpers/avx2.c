static inline __attribute__((always_inline, unused)) f32x8 abs_f32x8(f32x8 x)
{
    return (f32x8)((u32x8)x & ~0x80000000u);
}

static inline __attribute__((always_inline, unused)) f32x1 add_f32x1(f32x1 x, f32x1 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) f32x4 add_f32x4(f32x4 x, f32x4 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) f32x8 add_f32x8(f32x8 x, f32x8 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) s32x8 add_s32x8(s32x8 x, s32x8 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) f32x8 and_more_f32x8(f32x8 x, f32x8 by)
{
    return (f32x8)_mm256_fmadd_ps((__m256)x, (__m256)by, (__m256)x);
}

static inline __attribute__((always_inline, unused)) int any_below_f32x8(f32x8 x, f32x8 low)
{
    return _mm256_movemask_ps(_mm256_cmp_ps((__m256)x, (__m256)low, _CMP_NGE_UQ));
}

static inline __attribute__((always_inline, unused)) f32x4 at_least_f32x4(f32x4 x, f32x4 low)
{
    return (f32x4)_mm_max_ps((__m128)low, (__m128)x);
}

static inline __attribute__((always_inline, unused)) f32x8 at_least_f32x8(f32x8 x, f32x8 low)
{
    return (f32x8)_mm256_max_ps((__m256)low, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 at_most_f32x8(f32x8 x, f32x8 high)
{
    return (f32x8)_mm256_min_ps((__m256)high, (__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 blend_f32x8(s32x8 m, f32x8 x, f32x8 y)
{
    return (f32x8)(((s32x8)x & m) | ((s32x8)y & ~m));
}

static inline __attribute__((always_inline, unused)) f32x8 cleared_f32x8(s32x8 m, f32x8 x)
{
    return (f32x8)_mm256_andnot_ps((__m256)m, (__m256)x);
}

static inline __attribute__((always_inline, unused)) s16x16 convert_s8_to_s16_x16(s8x16 x)
{
    return (s16x16)_mm256_cvtepi8_epi16((__m128i)x);
}

static inline __attribute__((always_inline, unused)) s32x8 convert_s8_to_s32_x8(s8x8 x)
{
    return (s32x8)_mm256_cvtepi8_epi32(_mm_cvtsi64_si128((long long)x));
}

static inline __attribute__((always_inline, unused)) f32x8 decay_f32x8(f32x8 x)
{
    s32x8 gone = (s32x8)(x < ((f32x8){0} + (-87.33654f)));
    x = cleared_f32x8(gone, x);
    f32x8 moved = x * 1.4426950408889634f + 1572864.0f, n = moved - 1572864.0f;
    f32x8 r = (x - n * 0.693115234375f) - n * 3.1946183e-05f, square = square_f32x8(r);
    f32x8 power = (f32x8)((u32x8)look_up_f32x8(moved, (f32x8){1.0f, 0.9827538728713989f, 0.9696035385131836f, 0.9609197974205017f, 0.9571067690849304f, 0.9586054086685181f, 0.9658964276313782f, 0.9795040488243103f}) + ((u32x8)moved << 20)), z = and_more_f32x8(power, (((f32x8){0} + 0.1666686f) * r + ((f32x8){0} + 0.5000646f)) * square + r);
    return cleared_f32x8(gone, z);
}

static inline __attribute__((always_inline, unused)) f32x1 div_f32x1(f32x1 x, f32x1 y)
{
    return x / y;
}

static inline __attribute__((always_inline, unused)) f32x8 div_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
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
    z = cleared_f32x8(above, z);
    f32x8 near = given * ((((((f32x8){0} + (-8.167606e-06f)) * (s * s) + (-0.0011880201f)) * (s * s) + (-0.06649054f)) * s + ((((f32x8){0} + 0.00011501915f) * (s * s) + 0.009974163f) * (s * s) + 0.3989423f)) * given + 0.5f);
    f32x8 u = ratio_f32x8(t - 3.0f, t + 3.0f);
    f32x8 far = at_least_f32x8(given, -(f32x8){0}) - ((((((f32x8){0} + (-3.968175e-05f)) * (u * u) + (-0.0017380117f)) * (u * u) + 0.09137673f) * (u * u) + 0.109875865f) * u + ((((((f32x8){0} + (-0.0005460223f)) * (u * u) + 0.0039657666f) * (u * u) + (-0.028858317f)) * (u * u) + (-0.13965735f)) * (u * u) + 0.36454186f)) * z;
    f32x8 found = select_lt_f32x8(t, ((f32x8){0} + 1.0f), near, far);
    return settle_f32x8(found, deep & ~above);
}

static inline __attribute__((always_inline, unused)) f32x8 hold_f32x8(f32x8 x)
{
    __asm__("" : "+x"(x));
    return x;
}

static inline __attribute__((always_inline, unused)) s16x16 hold_s16x16(s16x16 x)
{
    __asm__("" : "+x"(x));
    return x;
}

static inline __attribute__((always_inline, unused)) f32x4 if_nan_f32x4(f32x4 t, f32x4 x, f32x4 y)
{
    return (f32x4)_mm_blendv_ps((__m128)y, (__m128)x, _mm_cmp_ps((__m128)t, (__m128)t, _CMP_UNORD_Q));
}

static inline __attribute__((always_inline, unused)) f32x8 if_nan_f32x8(f32x8 t, f32x8 x, f32x8 y)
{
    return (f32x8)_mm256_blendv_ps((__m256)y, (__m256)x, _mm256_cmp_ps((__m256)t, (__m256)t, _CMP_UNORD_Q));
}

static inline __attribute__((always_inline, unused)) f32x8 join_f32x8(f32x4 x, f32x4 y)
{
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline __attribute__((always_inline, unused)) u8x16 join_u8x16(u8x8 x, u8x8 y)
{
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x8 load_f32x8(const float *p)
{
    return *(const f32x8_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x8 load_parts_f32x8(const float *p0, const float *p1)
{
    const __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p0));
    return (f32x8)_mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)p1), 1);
}

static inline __attribute__((always_inline, unused)) s16x2 load_s16x2(const int16_t *p)
{
    return *(const s16x2_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) s8x16 load_s8x16(const int8_t *p)
{
    return *(const s8x16_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) s8x8 load_s8x8(const int8_t *p)
{
    return *(const s8x8_unaligned *)p;
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

static inline __attribute__((always_inline, unused)) f32x8 load_tail_f32x8(const float *p, int n)
{
    if (!__builtin_constant_p(n)) {
        return (f32x8)_mm256_maskload_epi32((const int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n));
    }
    const f32x4 tail = load_tail_f32x4(n < 4 ? p : p + 4, n < 4 ? n : n - 4);
    return n < 4 ? join_f32x8(tail, (f32x4){0}) : join_f32x8(load_f32x4(p), tail);
}

static inline __attribute__((always_inline, unused)) s8x16 load_tail_s8x16(const int8_t *p, int n)
{
    if (!__builtin_constant_p(n)) {
        s8x16 v = {0};
        __builtin_memcpy(&v, p, (size_t)n * sizeof(int8_t));
        return v;
    }
    if (n == 16) return load_s8x16(p);
    s8x16 v = {0};
    if (n & 8) { int64_t t; __builtin_memcpy(&t, p, sizeof t); s64x2 w = (s64x2)v; w[0] = t; v = (s8x16)w; }
    if (n & 4) { int32_t t; __builtin_memcpy(&t, p + (n & ~7), sizeof t); s32x4 w = (s32x4)v; w[(n & ~7) / 4] = t; v = (s8x16)w; }
    if (n & 2) { int16_t t; __builtin_memcpy(&t, p + (n & ~3), sizeof t); s16x8 w = (s16x8)v; w[(n & ~3) / 2] = t; v = (s8x16)w; }
    if (n & 1) { int8_t t; __builtin_memcpy(&t, p + (n & ~1), sizeof t); s8x16 w = (s8x16)v; w[n & ~1] = t; v = (s8x16)w; }
    return v;
}

static inline __attribute__((always_inline, unused)) s8x8 load_tail_s8x8(const int8_t *p, int n)
{
    if (!__builtin_constant_p(n)) {
        s8x8 v = {0};
        __builtin_memcpy(&v, p, (size_t)n * sizeof(int8_t));
        return v;
    }
    if (n == 8) return load_s8x8(p);
    s8x16 v = {0};
    if (n & 8) { int64_t t; __builtin_memcpy(&t, p, sizeof t); s64x2 w = (s64x2)v; w[0] = t; v = (s8x16)w; }
    if (n & 4) { int32_t t; __builtin_memcpy(&t, p + (n & ~7), sizeof t); s32x4 w = (s32x4)v; w[(n & ~7) / 4] = t; v = (s8x16)w; }
    if (n & 2) { int16_t t; __builtin_memcpy(&t, p + (n & ~3), sizeof t); s16x8 w = (s16x8)v; w[(n & ~3) / 2] = t; v = (s8x16)w; }
    if (n & 1) { int8_t t; __builtin_memcpy(&t, p + (n & ~1), sizeof t); s8x16 w = (s8x16)v; w[n & ~1] = t; v = (s8x16)w; }
    return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline __attribute__((always_inline, unused)) f32x8 look_up_f32x8(f32x8 moved, f32x8 powers)
{
    return (f32x8)_mm256_permutevar8x32_ps((__m256)powers, (__m256i)moved);
}

static inline __attribute__((always_inline, unused)) f32x4 lower_f32x8(f32x8 x)
{
    return __builtin_shufflevector(x, x, 0, 1, 2, 3);
}

static inline __attribute__((always_inline, unused)) s16x8 lower_s16x16(s16x16 x)
{
    return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline __attribute__((always_inline, unused)) s32x4 lower_s32x8(s32x8 x)
{
    return __builtin_shufflevector(x, x, 0, 1, 2, 3);
}

static inline __attribute__((always_inline, unused)) f32x4 maximum_f32x4(f32x4 x, f32x4 y)
{
    return if_nan_f32x4(y, y, at_least_f32x4(x, y));
}

static inline __attribute__((always_inline, unused)) f32x8 maximum_f32x8(f32x8 x, f32x8 y)
{
    return if_nan_f32x8(y, y, at_least_f32x8(x, y));
}

static inline __attribute__((always_inline, unused)) f32x8 ratio_f32x8(f32x8 x, f32x8 y)
{
    return x / y;
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

static inline __attribute__((always_inline, unused)) f32x8 rsqrt_f32x8(f32x8 x)
{
    return 1.0f / sqrt_f32x8(x);
}

static inline __attribute__((always_inline, unused)) f32x8 select_f32x8(u8x8 p, f32x8 x, f32x8 y)
{
    return blend_f32x8(convert_s8_to_s32_x8((s8x8)(p != 0)), x, y);
}

static inline __attribute__((always_inline, unused)) f32x8 select_lt_f32x8(f32x8 a, f32x8 b, f32x8 x, f32x8 y)
{
    return (f32x8)_mm256_blendv_ps((__m256)y, (__m256)x, _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_LT_OQ));
}

static inline __attribute__((always_inline, unused)) f32x8 settle_f32x8(f32x8 x, s32x8 deep)
{
    f32x8 size = abs_f32x8(x), least = ((f32x8){0} + 1.4901161193847656e-08f);
    u32x8 rounded = (u32x8)(size + least) - (u32x8)least, whole = (u32x8)size - (((u32x8){0} + 100) << 23);
    f32x8 found = blend_f32x8((s32x8)(size < least), (f32x8)rounded, (f32x8)whole);
    return blend_f32x8(deep, with_sign_f32x8(found, x), x);
}

static inline __attribute__((always_inline, unused)) f32x8 share_f32x8(f32x8 x, f32x8 y)
{
    s32x8 gone = (s32x8)((s32x8)abs_f32x8(x) < (((s32x8){0} + ((int32_t)128 << 23)) - (s32x8)abs_f32x8(y)));
    return cleared_f32x8(gone, x) * y;
}

static inline __attribute__((always_inline, unused)) f32x1 splat_f32x1(float x)
{
    return (f32x1){x};
}

static inline __attribute__((always_inline, unused)) f32x4 splat_f32x4(float x)
{
    return (f32x4){x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x8 splat_f32x8(float x)
{
    return (f32x8){x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) s32x8 splat_s32x8(int32_t x)
{
    return (s32x8){x, x, x, x, x, x, x, x};
}

static inline __attribute__((always_inline, unused)) f32x8 sqrt_f32x8(f32x8 x)
{
    return (f32x8)_mm256_sqrt_ps((__m256)x);
}

static inline __attribute__((always_inline, unused)) f32x8 square_f32x8(f32x8 x)
{
    return (f32x8)_mm256_fmadd_ps((__m256)x, (__m256)x, _mm256_set1_ps(0x1p-50f));
}

static inline __attribute__((always_inline, unused)) f32x8 square_low_f32x8(f32x8 x, f32x8 s)
{
    return (f32x8)_mm256_fmsub_ps((__m256)x, (__m256)x, (__m256)s);
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

static inline __attribute__((always_inline, unused)) void store_s16x8(int16_t *p, s16x8 v)
{
    *(s16x8_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_s32x4(int32_t *p, s32x4 v)
{
    *(s32x4_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_s32x8(int32_t *p, s32x8 v)
{
    *(s32x8_unaligned *)p = v;
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

static inline __attribute__((always_inline, unused)) void store_tail_s16x16(int16_t *p, s16x16 v, int n)
{
    if (!__builtin_constant_p(n)) {
        __builtin_memcpy(p, &v, (size_t)n * sizeof(int16_t));
        return;
    }
    if (n < 8) { store_tail_s16x8(p, lower_s16x16(v), n); return; }
    store_s16x8(p, lower_s16x16(v));
    store_tail_s16x8(p + 8, upper_s16x16(v), n - 8);
}

static inline __attribute__((always_inline, unused)) void store_tail_s16x8(int16_t *p, s16x8 v, int n)
{
    if (!__builtin_constant_p(n)) {
        __builtin_memcpy(p, &v, (size_t)n * sizeof(int16_t));
        return;
    }
    if (n == 8) { store_s16x8(p, v); return; }
    if (n & 4) { const int64_t t = ((s64x2)v)[0]; __builtin_memcpy(p, &t, sizeof t); }
    if (n & 2) { const int32_t t = ((s32x4)v)[(n & ~3) / 2]; __builtin_memcpy(p + (n & ~3), &t, sizeof t); }
    if (n & 1) { const int16_t t = ((s16x8)v)[n & ~1]; __builtin_memcpy(p + (n & ~1), &t, sizeof t); }
}

static inline __attribute__((always_inline, unused)) void store_tail_s32x4(int32_t *p, s32x4 v, int n)
{
    if (!__builtin_constant_p(n)) {
        _mm_maskstore_epi32((int *)p, (__m128i)((s32x4){0, 1, 2, 3} < n), (__m128i)v);
        return;
    }
    if (n == 4) { store_s32x4(p, v); return; }
    if (n & 2) { const int64_t t = ((s64x2)v)[0]; __builtin_memcpy(p, &t, sizeof t); }
    if (n & 1) { const int32_t t = ((s32x4)v)[n & ~1]; __builtin_memcpy(p + (n & ~1), &t, sizeof t); }
}

static inline __attribute__((always_inline, unused)) void store_tail_s32x8(int32_t *p, s32x8 v, int n)
{
    if (!__builtin_constant_p(n)) {
        _mm256_maskstore_epi32((int *)p, (__m256i)((s32x8){0, 1, 2, 3, 4, 5, 6, 7} < n), (__m256i)v);
        return;
    }
    if (n < 4) { store_tail_s32x4(p, lower_s32x8(v), n); return; }
    store_s32x4(p, lower_s32x8(v));
    store_tail_s32x4(p + 4, upper_s32x8(v), n - 4);
}

static inline __attribute__((always_inline, unused)) void store_u8x16(uint8_t *p, u8x16 v)
{
    *(u8x16_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) f32x4 upper_f32x8(f32x8 x)
{
    return (f32x4)_mm256_extracti128_si256((__m256i)x, 1);
}

static inline __attribute__((always_inline, unused)) s16x8 upper_s16x16(s16x16 x)
{
    return (s16x8)_mm256_extracti128_si256((__m256i)x, 1);
}

static inline __attribute__((always_inline, unused)) s32x4 upper_s32x8(s32x8 x)
{
    return (s32x4)_mm256_extracti128_si256((__m256i)x, 1);
}

static inline __attribute__((always_inline, unused)) f32x8 with_sign_f32x8(f32x8 x, f32x8 y)
{
    return (f32x8)((u32x8)x | ((u32x8)y & 0x80000000u));
}

