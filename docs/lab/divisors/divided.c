/* x / d for a d that is known: ways to write it, which quotients they miss, and what a vector takes in L1.

   gcc -O3 -ffp-contract=fast -mfma -mavx512f -mavx512vl -mavx512dq -mprefer-vector-width=512 \
       docs/lab/divisors/divided.c -lm -o divided && taskset -c 1 ./divided */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { COUNT = 4096, ROUNDS = 60, CALLS = 40 };
static float x[COUNT] __attribute__((aligned(64))), y[COUNT] __attribute__((aligned(64)));

typedef struct { float d, high, low, near, rest; } By;
typedef void Way(const float *x, float *y, int count, By by);

/* high: 1 / d toward zero, low what is left; near: 1 / d to nearest, rest what is left. */
static By by(float d)
{
    By b = {.d = d, .near = (float)(1.0 / d)};
    b.high = (long double)b.near * d > 1 ? nextafterf(b.near, 0) : b.near;
    b.low = (float)((1.0L - (long double)b.high * d) / d);
    b.rest = (float)((1.0L - (long double)b.near * d) / d);
    return b;
}

#define WAY(name, V, w, lanes, ...)                                                                                \
    __attribute__((noinline, unused)) static void name(const float *x, float *y, int count, By by)                        \
    {                                                                                                              \
        const V d = w##_set1_ps(by.d), high = w##_set1_ps(by.high), low = w##_set1_ps(by.low);                     \
        const V near = w##_set1_ps(by.near), rest = w##_set1_ps(by.rest), one = w##_set1_ps(1e-30f);               \
        (void)d, (void)high, (void)low, (void)near, (void)rest, (void)one;                                         \
        for (int i = 0; i < count; i += lanes) {                                                                   \
            const V v = w##_loadu_ps(x + i);                                                                       \
            V q;                                                                                                   \
            __VA_ARGS__;                                                                                           \
            w##_storeu_ps(y + i, q);                                                                               \
        }                                                                                                          \
    }
#define WAYS(p, V, w, lanes)                                                                                       \
    WAY(p##copy, V, w, lanes, q = v)                                                                               \
    WAY(p##divided, V, w, lanes, q = w##_div_ps(v, d))                                                             \
    WAY(p##one, V, w, lanes, q = w##_mul_ps(v, near))                                                              \
    WAY(p##two, V, w, lanes, q = w##_fmadd_ps(v, high, w##_mul_ps(v, low)))                                        \
    WAY(p##nearest, V, w, lanes, q = w##_fmadd_ps(v, near, w##_mul_ps(v, rest)))                                   \
    WAY(p##three, V, w, lanes, const V a = w##_mul_ps(v, near); q = w##_fnmadd_ps(w##_fmsub_ps(a, d, v), near, a))
WAYS(z, __m512, _mm512, 16)
WAYS(h, __m256, _mm256, 8)
/* infinities as they are: what is left of them is no number */
WAY(zmasked, __m512, _mm512, 16, const __m512 a = _mm512_mul_ps(v, near), r = _mm512_fmsub_ps(a, d, v);
    q = _mm512_mask3_fnmadd_ps(r, near, a, _mm512_cmp_ps_mask(r, r, _CMP_ORD_Q)))
WAY(hmasked, __m256, _mm256, 8, const __m256 a = _mm256_mul_ps(v, near), r = _mm256_fmsub_ps(a, d, v);
    q = _mm256_blendv_ps(_mm256_fnmadd_ps(r, near, a), a, _mm256_cmp_ps(r, r, _CMP_UNORD_Q)))
/* without what is left where x is small: the products of that are denormal */
WAY(zbits, __m512, _mm512, 16, const __m512i large = _mm512_set1_epi32(0x70000000);
    const __mmask16 k = _mm512_test_epi32_mask((__m512i)v, large);
    q = _mm512_fmadd_ps(v, high, _mm512_mask_mul_ps(_mm512_set1_ps(-0.0f), k, v, low)))
WAY(hbits, __m256, _mm256, 8, const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
    const __m256 k = _mm256_cmp_ps(size, one, _CMP_NLT_UQ);
    q = _mm256_fmadd_ps(v, high, _mm256_mul_ps(_mm256_and_ps(v, k), low)))
/* divided where some x is tiny, and not 0 */
WAY(ztested, __m512, _mm512, 16, const __mmask16 some = _mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    if (__builtin_expect(_mm512_mask_cmp_ps_mask(some, _mm512_abs_ps(v), one, _CMP_LT_OQ) != 0, 0))
        q = _mm512_div_ps(v, d);
    else
        q = _mm512_fmadd_ps(v, high, _mm512_mul_ps(v, low)))

static const struct { const char *name; Way *way; int lanes; } WAYS_OF[] = {
    {"z copy", zcopy, 16}, {"z divided", zdivided, 16}, {"z one", zone, 16}, {"z two", ztwo, 16},
    {"z two, some of one", zbits, 16}, {"z two, tested", ztested, 16}, {"z three", zthree, 16}, {"z three, masked", zmasked, 16},
    {"y copy", hcopy, 8}, {"y divided", hdivided, 8}, {"y one", hone, 8}, {"y two", htwo, 8}, 
    {"y two, some of one", hbits, 8}, {"y three", hthree, 8},
    {"y three, masked", hmasked, 8},
};
enum { WAYS_COUNT = sizeof WAYS_OF / sizeof *WAYS_OF };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static void timed(float scale)
{
    printf("x of %g\n", 500 * scale);
    double best[WAYS_COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = ((float)(i * 37 % 1000) - 500.5f) * scale;
    for (int i = 0; i < WAYS_COUNT; i++) best[i] = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < WAYS_COUNT; i++) {
            const double start = now();
            for (int k = 0; k < CALLS; k++) WAYS_OF[i].way(x, y, COUNT, by(9));
            best[i] = fmin(best[i], (now() - start) / CALLS);
        }
    for (int i = 0; i < WAYS_COUNT; i++)
        printf("%-18s %.2f ns a vector\n", WAYS_OF[i].name, best[i] / (COUNT / WAYS_OF[i].lanes));
}

/* Of x with each fraction and this exponent, how many quotients are not the nearest number; or of which bits differ. */
static int missed(Way *way, float d, uint32_t exponent)
{
    static float out[COUNT], wanted[COUNT];
    int wrong = 0;
    for (uint32_t first = 0; first < 1u << 23; first += COUNT) {
        for (uint32_t i = 0; i < COUNT; i++) ((uint32_t *)x)[i] = exponent << 23 | (first + i);
        way(x, out, COUNT, by(d));
        zdivided(x, wanted, COUNT, by(d));
        for (int i = 0; i < COUNT; i++) wrong += ((uint32_t *)out)[i] != ((uint32_t *)wanted)[i];
    }
    return wrong;
}

int main(void)
{
    static Way *const ways[] = {zone, ztwo, znearest, zthree};
    timed(1);
    timed(1e-36f);
    for (int d = 2; d <= 64; d++) {
        int wrong[4];
        for (int i = 0; i < 4; i++) wrong[i] = missed(ways[i], d, 127);
        if (d == 3 || d == 9 || d == 25 || d == 49 || wrong[1] + wrong[2] + wrong[3])
            printf("d %d: one %d, two %d, two by the nearest %d, three %d of 2**23\n", d, wrong[0], wrong[1], wrong[2], wrong[3]);
    }
    printf("d 1/3: two %d, three %d\n", missed(ztwo, 1 / 3.f, 127), missed(zthree, 1 / 3.f, 127));
    const float few[] = {9, 6, 49};
    for (int i = 0; i < 3; i++) {
        printf("d %g, exponents of x with quotients that are off: two", few[i]);
        for (int e = 0; e < 40; e++) if (missed(ztwo, few[i], e)) printf(" %d", e);
        printf("; three");
        for (int e = 0; e < 40; e++) if (missed(zthree, few[i], e)) printf(" %d", e);
        puts("");
    }
    return 0;
}
