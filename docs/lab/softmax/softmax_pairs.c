/* A softmax in two passes without a maximum, and others, beside those in three passes, one row at a time, f32, AVX2 and FMA or AVX-512: what a form would gain before there is one.

       gcc -O3 -march=native docs/lab/softmax/softmax_pairs.c -lm -o pairs && ./pairs        (AVX2: -march=x86-64-v3)

   exp(x) is a pair: m in [sqrt(1/2), sqrt(2)] and n, a whole number, m * 2^n (M. Dukhan and A. Ablavatski, "Two-Pass Softmax Algorithm", arXiv 2001.04438). All ways have
   the same polynomial. First ns an element of each way, in turns, the least; then the largest error relative to the largest result, of rows at an offset, against f64. */
#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 1024, WAYS = 7, MOST = 4000 };

#ifdef __AVX512F__
typedef __m512 V;
enum { LANES = 16 };
static inline V all(float x) { return _mm512_set1_ps(x); }
static inline V load(const float *x) { return _mm512_loadu_ps(x); }
static inline void store(float *y, V v) { _mm512_storeu_ps(y, v); }
static inline V most(V x, V y) { return _mm512_max_ps(x, y); }
static inline V whole(V x) { return _mm512_roundscale_ps(x, 8); }
static inline V added(V x, V y, V z) { return _mm512_fmadd_ps(x, y, z); }
static inline V less(V x, V y, V z) { return _mm512_fnmadd_ps(x, y, z); }
static inline int above(V x, V y) { return _mm512_cmp_ps_mask(x, y, _CMP_GT_OQ); }
static inline V scaled(V x, V n) { return _mm512_scalef_ps(x, n); } /* x 2^n */
#else
typedef __m256 V;
enum { LANES = 8 };
static inline V all(float x) { return _mm256_set1_ps(x); }
static inline V load(const float *x) { return _mm256_loadu_ps(x); }
static inline void store(float *y, V v) { _mm256_storeu_ps(y, v); }
static inline V most(V x, V y) { return _mm256_max_ps(x, y); }
static inline V whole(V x) { return _mm256_round_ps(x, 8); }
static inline V added(V x, V y, V z) { return _mm256_fmadd_ps(x, y, z); }
static inline V less(V x, V y, V z) { return _mm256_fnmadd_ps(x, y, z); }
static inline int above(V x, V y) { return _mm256_movemask_ps(_mm256_cmp_ps(x, y, _CMP_GT_OQ)); }
/* x 2^n for whole n up to 127; 0 from -127 down. */
static inline V scaled(V x, V n) { return x * _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(most(n, all(-127)) + all(8388608.0f + 127)), 23)); }
#endif

static float largest(V v) { float t[LANES]; store(t, v); float r = t[0]; for (int i = 1; i < LANES; i++) r = fmaxf(r, t[i]); return r; }
static float total(V v) { float t[LANES], r = 0; store(t, v); for (int i = 0; i < LANES; i++) r += t[i]; return r; }

/* exp(x) as a pair. */
static inline V mantissa(V x, V *n)
{
    *n = whole(x * all(1.44269504f));
    V r = less(*n, all(-2.12194440e-4f), less(*n, all(0.693359375f), x));
    V p = added(all(1.3836247e-3f), r, all(8.369126e-3f));
    p = added(p, r, all(4.1668106e-2f));
    p = added(p, r, all(1.6666517e-1f));
    p = added(p, r, all(4.9999994e-1f));
    return added(r * r, p, r + all(1));
}

static inline V exponential(V x)
{
    V n, m = mantissa(most(all(-87.3f), x), &n); /* NaN stays */
    return scaled(m, n);
}

/* ---- with a maximum ---- */

static float maximum(const float *x, long n)
{
    V c[4] = {all(-INFINITY), all(-INFINITY), all(-INFINITY), all(-INFINITY)};
    for (long i = 0; i < n; i += 4 * LANES)
        for (int k = 0; k < 4; k++) c[k] = most(c[k], load(x + i + k * LANES));
    return largest(most(most(c[0], c[1]), most(c[2], c[3])));
}

/* The sum of exponentials less `high`, which are stored in y where there is one. */
static inline float sum(const float *x, float *y, long n, float high)
{
    V c[4] = {all(0), all(0), all(0), all(0)};
    for (long i = 0; i < n; i += 4 * LANES)
        for (int k = 0; k < 4; k++) {
            V e = exponential(load(x + i + k * LANES) - all(high));
            if (y) store(y + i + k * LANES, e);
            c[k] += e;
        }
    return total((c[0] + c[1]) + (c[2] + c[3]));
}

static void shares(const float *x, float *y, long n, float high, float sum)
{
    for (long i = 0; i < n; i += LANES) store(y + i, exponential(load(x + i) - all(high)) * all(1 / sum));
}

static void twice(const float *x, float *y, long n)
{
    float high = maximum(x, n);
    shares(x, y, n, high, sum(x, NULL, n, high));
}

static void kept(const float *x, float *y, long n)
{
    V share = all(1 / sum(x, y, n, maximum(x, n)));
    for (long i = 0; i < n; i += LANES) store(y + i, load(y + i) * share);
}

static void rounds(const float *x, float *y, long n)
{
    float high = -INFINITY, sums = 0;
    for (long i = 0; i < n; i += BLOCK) {
        long size = n - i < BLOCK ? n - i : BLOCK;
        float now = fmaxf(high, maximum(x + i, size));
        sums = sums * expf(high - now) + sum(x + i, NULL, size, now);
        high = now;
    }
    shares(x, y, n, high, sums);
}

/* Kept by rounds: each block less the maximum so far, which is made good where shares are made. */
static void kept_rounds(const float *x, float *y, long n)
{
    float high = -3.4028235e38f, sums = 0;
    static float highs[(1 << 25) / BLOCK];
    for (long i = 0; i < n; i += BLOCK) {
        long size = n - i < BLOCK ? n - i : BLOCK;
        float now = fmaxf(high, maximum(x + i, size));
        sums = sums * expf(high - now) + sum(x + i, y + i, size, now);
        highs[i / BLOCK] = high = now;
    }
    for (long i = 0; i < n; i += BLOCK) {
        long size = n - i < BLOCK ? n - i : BLOCK;
        V share = all(expf(highs[i / BLOCK] - high) / sums);
        for (long j = i; j < i + size; j += LANES) store(y + j, load(y + j) * share);
    }
}

/* ---- one reading for maximum and sum ---- */

/* The sum is of exponentials less `near`, which is any number seen that no later one is above by more than ABOVE: where one is, `near` rises and the sum so far is made smaller, which is seldom.
   The maximum is kept beside it, and what the sum is worth is put right once, at the end. */
#define ABOVE 40.0f

static inline float reading(const float *x, long n, float *result)
{
    V c[4] = {all(0), all(0), all(0), all(0)}, high = all(-INFINITY);
    float near = -3.4028235e38f;
    for (long i = 0; i < n; i += 4 * LANES) {
        V v[4];
        for (int k = 0; k < 4; k++) v[k] = load(x + i + k * LANES);
        V now = most(most(v[0], v[1]), most(v[2], v[3]));
        high = most(high, now);
        if (__builtin_expect(above(now - all(near), all(ABOVE)), 0)) {
            float old = near;
            near = fmaxf(largest(now), near);
            for (int k = 0; k < 4; k++) c[k] *= all(expf(old - near));
        }
        for (int k = 0; k < 4; k++) c[k] += exponential(v[k] - all(near));
    }
    *result = largest(high);
    return total((c[0] + c[1]) + (c[2] + c[3])) * expf(near - fmaxf(*result, -3.4028235e38f));
}

static void once(const float *x, float *y, long n)
{
    float high, sums = reading(x, n, &high);
    shares(x, y, n, high, sums);
}

/* ---- without one ---- */

static void last(const float *x, float *y, long n, V m, V high)
{
    float value[LANES], exponent[LANES], sums = 0, highest = largest(high);
    store(value, m);
    store(exponent, high);
    for (int i = 0; i < LANES; i++) sums += ldexpf(value[i], (int)fmaxf(exponent[i] - highest, -200));
    for (long i = 0; i < n; i += LANES) {
        V w, e = mantissa(load(x + i), &w);
        store(y + i, scaled(e * all(1 / sums), w - all(highest)));
    }
}

/* Each step aligns one vector with its sum. */
static void pairs(const float *x, float *y, long n)
{
    V m[4], high[4];
    for (int k = 0; k < 4; k++) m[k] = all(0), high[k] = all(-3e38f);
    for (long i = 0; i < n; i += 4 * LANES)
        for (int k = 0; k < 4; k++) {
            V w, e = mantissa(load(x + i + k * LANES), &w), now = most(high[k], w);
            m[k] = scaled(m[k], high[k] - now) + scaled(e, w - now);
            high[k] = now;
        }
    V now = most(most(high[0], high[1]), most(high[2], high[3])), sums = all(0);
    for (int k = 0; k < 4; k++) sums += scaled(m[k], high[k] - now);
    last(x, y, n, sums, now);
}

/* Four vectors share the exponent that they are aligned with, so that a sum is made smaller once for them. */
static void fours(const float *x, float *y, long n)
{
    V even = all(0), odd = all(0), high = all(-3e38f);
    for (long i = 0; i < n; i += 4 * LANES) {
        V m[4], w[4];
        for (int k = 0; k < 4; k++) m[k] = mantissa(load(x + i + k * LANES), &w[k]);
        V now = most(most(most(w[0], w[1]), most(w[2], w[3])), high);
#ifdef __AVX512F__
        even = scaled(m[2], w[2] - now) + (scaled(m[0], w[0] - now) + scaled(even, high - now));
        odd = scaled(m[3], w[3] - now) + (scaled(m[1], w[1] - now) + scaled(odd, high - now));
#else
        V worth = scaled(all(1), high - now);
        even = added(m[2], scaled(all(1), w[2] - now), added(m[0], scaled(all(1), w[0] - now), even * worth));
        odd = added(m[3], scaled(all(1), w[3] - now), added(m[1], scaled(all(1), w[1] - now), odd * worth));
#endif
        high = now;
    }
    last(x, y, n, even + odd, high);
}

/* ---- measured ---- */

typedef void Way(const float *, float *, long);
static Way *const ways[WAYS] = {twice, kept, rounds, pairs, fours, once, kept_rounds};
static const char *const names[WAYS] = {"twice", "kept", "rounds", "pairs", "fours", "once", "kept rounds"};

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static int compare(const void *x, const void *y) { double d = *(const double *)x - *(const double *)y; return (d > 0) - (d < 0); }

static float *array(long n) { float *x = aligned_alloc(64, n * sizeof(float)); if (!x) exit(1); memset(x, 0, n * sizeof(float)); return x; }

static void timed(long rows, long n, double seconds)
{
    static double took[WAYS][MOST];
    float *x = array(rows * n), *y = array(rows * n);
    for (long i = 0; i < rows * n; i++) x[i] = ((float)rand() / (float)RAND_MAX - 0.5f) * 20;
    long again = 1 + 1000000 / (rows * n);
    int count = 0;
    for (double end = now() + seconds; count < MOST && (count < 3 || now() < end); count++)
        for (int k = 0; k < WAYS; k++) {
            double start = now();
            for (long r = 0; r < again * rows; r++) ways[k](x + r % rows * n, y + r % rows * n, n);
            took[k][count] = (now() - start) / again;
        }
    printf("%5ld x %-9ld", rows, n);
    for (int k = 0; k < WAYS; k++) {
        qsort(took[k], count, sizeof(double), compare);
        printf("  %s %.2f", names[k], took[k][0] * 1e9 / (rows * n));
    }
    printf("  ns an element, %d rounds\n", count);
    free(x);
    free(y);
}

static void judged(double offset)
{
    enum { N = 4096 };
    float *x = array(N), *y = array(N);
    double exact[N], high = -INFINITY, sums = 0;
    for (long i = 0; i < N; i++) {
        x[i] = (float)(offset + (rand() / (double)RAND_MAX - 0.5) * 20);
        high = fmax(high, x[i]);
    }
    for (long i = 0; i < N; i++) sums += exact[i] = exp(x[i] - high);
    printf("rows at %-8g", offset);
    for (int k = 0; k < WAYS; k++) {
        double worst = 0;
        ways[k](x, y, N);
        for (long i = 0; i < N; i++) worst = fabs(y[i] - exact[i] / sums) <= worst ? worst : fabs(y[i] - exact[i] / sums);
        printf("  %s %.0e", names[k], worst * sums);
    }
    printf("\n");
    free(x);
    free(y);
}

int main(void)
{
    static const long shapes[][2] = {{4096, 128}, {128, 1024}, {64, 16384}, {64, 50272}, {16, 1 << 18}, {4, 1 << 20}, {1, 1 << 23}, {1, 1 << 25}};
    static const double offsets[] = {0, 1e3, 1e5, 1e6, 1e7, 1e8, 1e12, 3e38};
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) timed(shapes[i][0], shapes[i][1], 4);
    for (unsigned i = 0; i < sizeof offsets / sizeof *offsets; i++) judged(offsets[i]);
}
