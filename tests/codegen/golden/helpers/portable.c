static inline __attribute__((always_inline, unused)) f32x4 add_f32x4(f32x4 x, f32x4 y)
{
    return x + y;
}

static inline __attribute__((always_inline, unused)) f32x4 load_f32x4(const float *p)
{
    return *(const f32x4_unaligned *)p;
}

static inline __attribute__((always_inline, unused)) f32x4 load_tail_f32x4(const float *p, int n)
{
    if (!__builtin_constant_p(n)) {
        f32x4 v = {0};
        __builtin_memcpy(&v, p, (size_t)n * sizeof(float));
        return v;
    }
    if (n == 4) return load_f32x4(p);
    f32x4 v = {0};
    if (n & 2) { int64_t t; __builtin_memcpy(&t, p, sizeof t); s64x2 w = (s64x2)v; w[0] = t; v = (f32x4)w; }
    if (n & 1) { int32_t t; __builtin_memcpy(&t, p + (n & ~1), sizeof t); s32x4 w = (s32x4)v; w[n & ~1] = t; v = (f32x4)w; }
    return v;
}

static inline __attribute__((always_inline, unused)) f32x4 splat_f32x4(float x)
{
    return (f32x4){x, x, x, x};
}

static inline __attribute__((always_inline, unused)) void store_f32x4(float *p, f32x4 v)
{
    *(f32x4_unaligned *)p = v;
}

static inline __attribute__((always_inline, unused)) void store_tail_f32x4(float *p, f32x4 v, int n)
{
    if (!__builtin_constant_p(n)) {
        __builtin_memcpy(p, &v, (size_t)n * sizeof(float));
        return;
    }
    if (n == 4) { store_f32x4(p, v); return; }
    if (n & 2) { const int64_t t = ((s64x2)v)[0]; __builtin_memcpy(p, &t, sizeof t); }
    if (n & 1) { const int32_t t = ((s32x4)v)[n & ~1]; __builtin_memcpy(p + (n & ~1), &t, sizeof t); }
}

