/* What a row's maximum could gain where it is taken of a product's tile while that is still in registers, f32, AVX-512 or AVX2 and FMA: what a form would gain before there is one.

       F="-O3 -std=gnu11 -fwrapv -ffp-contract=fast -fno-math-errno -fno-tree-loop-vectorize -fPIC"
       gcc $F -march=native docs/lab/row-maximum/row_maximum.c -lm -o rows && ./rows [seconds a line]        (AVX2: -march=x86-64-v3)

   A product of ROWS x k by k x COLUMNS, the first in rows, the second in panels; beside it each row's maximum, or the sum of its exponentials. Then attention: a block of ROWS queries of
   64 by COLUMNS keys. Microseconds of the thread's own CPU time, the least and (the median) of all turns, each then over that of the first way. */
#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 126, COLUMNS = 512, MOST = 20000, WAYS = 7 };

#ifdef __AVX512F__
typedef __m512 V;
enum { LANES = 16 };
static inline V all(float x) { return _mm512_set1_ps(x); }
static inline V load(const float *x) { return _mm512_loadu_ps(x); }
static inline void store(float *y, V v) { _mm512_storeu_ps(y, v); }
static inline V at_least(V x, V low) { return _mm512_max_ps(low, x); }
static inline V most(V x, V y) { return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(y, y, _CMP_UNORD_Q), at_least(x, y), y); } /* NaN where either is, as programs have it */
static inline V whole(V x) { return _mm512_roundscale_ps(x, 8); }
static inline V added(V x, V y, V z) { return _mm512_fmadd_ps(x, y, z); }
static inline V less(V x, V y, V z) { return _mm512_fnmadd_ps(x, y, z); }
static inline V scaled(V x, V n) { return _mm512_scalef_ps(x, n); } /* x 2^n */
#else
typedef __m256 V;
enum { LANES = 8 };
static inline V all(float x) { return _mm256_set1_ps(x); }
static inline V load(const float *x) { return _mm256_loadu_ps(x); }
static inline void store(float *y, V v) { _mm256_storeu_ps(y, v); }
static inline V at_least(V x, V low) { return _mm256_max_ps(low, x); }
static inline V most(V x, V y) { return _mm256_blendv_ps(at_least(x, y), y, _mm256_cmp_ps(y, y, _CMP_UNORD_Q)); }
static inline V whole(V x) { return _mm256_round_ps(x, 8); }
static inline V added(V x, V y, V z) { return _mm256_fmadd_ps(x, y, z); }
static inline V less(V x, V y, V z) { return _mm256_fnmadd_ps(x, y, z); }
static inline V scaled(V x, V n) { return x * _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_castps_si256(n + all(8388608.0f + 127)), 23)); } /* n from -127 to 127 */
#endif

#define INLINE static inline __attribute__((always_inline))
#define ALL _Pragma("GCC unroll 64") for

INLINE V exponential(V x)
{
    x = at_least(x, all(-87.3f));
    V n = whole(x * all(1.44269504f));
    V r = less(n, all(-2.12194440e-4f), less(n, all(0.693359375f), x));
    V p = added(all(1.3836247e-3f), r, all(8.369126e-3f));
    p = added(p, r, all(4.1668106e-2f));
    p = added(p, r, all(1.6666517e-1f));
    p = added(p, r, all(4.9999994e-1f));
    return scaled(added(r * r, p, r + all(1)), n);
}

/* ---- one form for all ways: constants choose ---- */

typedef enum { MAXIMUM, SUM } Combine; /* of what the product gives, or of exponentials of it */
typedef enum { NOWHERE, BLOCK, SCRATCH } Place; /* where the product is stored */
typedef enum {
    NOT,     /* the product alone */
    AFTER,   /* a second pass, once the whole block is stored */
    NEAR,    /* a second pass over so many rows and columns, just stored; each combined with what the row had */
    VECTORS, /* of the tile in registers, a vector for each row, which is folded once at the end */
    FOLDED,  /* of the tile in registers, folded for each tile */
    ACROSS,  /* of the tile in registers, its rows joined by pairs: lanes lie along what is kept, and none are folded. So the roles of the inputs are changed: it is the maximum of each column */
} Take;

typedef struct { float *a, *b, *c, *scratch, *partial, *result, *values, *out; } Data;

INLINE V joined(V x, V y, Combine combine)
{
    if (combine == MAXIMUM) return most(x, y);
    return x + y;
}
INLINE float joined_one(float x, float y, Combine combine) { return combine == SUM ? x + y : isnan(x) || x > y ? x : y; }

/* Over the lanes, by halves, as programs fold. */
INLINE float folded(V v, Combine combine)
{
#ifdef __AVX512F__
    v = joined(v, _mm512_shuffle_f32x4(v, v, 0x4e), combine);
    v = joined(v, _mm512_shuffle_f32x4(v, v, 0xb1), combine);
    v = joined(v, _mm512_permute_ps(v, 0x4e), combine);
    return _mm512_cvtss_f32(joined(v, _mm512_permute_ps(v, 0xb1), combine));
#else
    v = joined(v, _mm256_permute2f128_ps(v, v, 1), combine);
    v = joined(v, _mm256_permute_ps(v, 0x4e), combine);
    return _mm256_cvtss_f32(joined(v, _mm256_permute_ps(v, 0xb1), combine));
#endif
}

INLINE float identity(Combine combine) { return combine == MAXIMUM ? -INFINITY : 0; }

/* `side` rows at a time, walked down together. */
INLINE void reduced(const float *x, long pitch, long rows, long columns, float *result, Combine combine, int side)
{
    for (long r = 0; r < rows; r += side) {
        V v[32];
        ALL(int i = 0; i < side; i++) v[i] = all(identity(combine));
        for (long n = 0; n < columns; n += LANES)
            ALL(int i = 0; i < side; i++) v[i] = joined(v[i], load(x + (r + i) * pitch + n), combine);
        ALL(int i = 0; i < side; i++) result[r + i] = joined_one(result[r + i], folded(v[i], combine), combine);
    }
}

#define PAIRS(step) ALL(int i = 0; i + step < rows; i += 2 * step) ALL(int j = 0; j < wide; j++) v[i][j] = joined(v[i][j], v[i + step][j], combine);

INLINE void tile(const float *a, const float *b, long k, float *c, long pitch, float *partial, float *result, int rows, int wide, Combine combine, Take take, Place place)
{
    V v[14][4];
    ALL(int i = 0; i < rows; i++) ALL(int j = 0; j < wide; j++) v[i][j] = all(0);
    for (long p = 0; p < k; p++) {
        V w[4];
        ALL(int j = 0; j < wide; j++) w[j] = load(b + (p * wide + j) * LANES);
        ALL(int i = 0; i < rows; i++) ALL(int j = 0; j < wide; j++) v[i][j] = added(all(a[i * k + p]), w[j], v[i][j]);
    }
    if (take == ACROSS) {
        if (combine == SUM) ALL(int i = 0; i < rows; i++) ALL(int j = 0; j < wide; j++) v[i][j] = exponential(v[i][j]);
        PAIRS(1) PAIRS(2) PAIRS(4) PAIRS(8)
        ALL(int j = 0; j < wide; j++) store(partial + j * LANES, joined(load(partial + j * LANES), v[0][j], combine));
        return;
    }
    ALL(int i = 0; i < rows; i++) {
        if (combine == SUM) ALL(int j = 0; j < wide; j++) v[i][j] = exponential(v[i][j]);
        if (place != NOWHERE) ALL(int j = 0; j < wide; j++) store(c + i * pitch + j * LANES, v[i][j]);
        if (take == NOT && place == NOWHERE) ALL(int j = 0; j < wide; j++) __asm__ volatile("" : : "v"(v[i][j])); /* else it were not computed */
        if (take != VECTORS && take != FOLDED) continue;
        V all_of_row = v[i][0];
        ALL(int j = 1; j < wide; j++) all_of_row = joined(all_of_row, v[i][j], combine);
        if (take == VECTORS) store(partial + i * LANES, joined(load(partial + i * LANES), all_of_row, combine));
        else result[i] = joined_one(result[i], folded(all_of_row, combine), combine);
    }
}

/* Strips of columns, of each so many rows, of each a panel of the second input for all of these. */
INLINE void product(const Data *d, long k, int rows, int wide, int side, Combine combine, Take take, Place place, int group, int strip)
{
    const int panel = wide * LANES, pitch = place == SCRATCH ? strip : COLUMNS;
    for (long r = 0; r < ROWS; r++) d->result[r] = identity(combine);
    if (take == VECTORS) for (long r = 0; r < ROWS; r++) store(d->partial + r * LANES, all(identity(combine)));
    if (take == ACROSS) for (long n = 0; n < COLUMNS; n++) d->partial[n] = identity(combine);
    for (long s = 0; s < COLUMNS; s += strip)
        for (long g = 0; g < ROWS; g += group) {
            float *c = place == SCRATCH ? d->scratch : d->c + g * COLUMNS + s;
            for (long n = 0; n < strip; n += panel)
                for (long m = 0; m < group; m += rows)
                    tile(d->a + (g + m) * k, d->b + (s + n) * k, k, c + m * pitch + n, pitch, d->partial + (take == ACROSS ? s + n : (g + m) * LANES), d->result + g + m, rows, wide, combine, take, place);
            if (take == NEAR) reduced(c, pitch, group, strip, d->result + g, combine, side);
        }
    if (take == AFTER) reduced(d->c, COLUMNS, ROWS, COLUMNS, d->result, combine, side);
    if (take == VECTORS) for (long r = 0; r < ROWS; r++) d->result[r] = folded(load(d->partial + r * LANES), combine);
}

/* ---- attention ---- */

/* Of a few rows: exponentials less the maximum in L1, their sum, and their product with the values, divided as it is stored. */
INLINE void values(const Data *d, long r, int rows, int wide, int summed)
{
    float total[14];
    ALL(int i = 0; i < rows; i++) {
        V high = all(d->result[r + i]), sum = all(0);
        for (long n = 0; n < COLUMNS; n += LANES) {
            V e = exponential(load(d->c + (r + i) * COLUMNS + n) - high);
            store(d->scratch + i * COLUMNS + n, e);
            if (summed) sum += e;
        }
        total[i] = summed ? folded(sum, SUM) : 0;
    }
    if (!summed) reduced(d->scratch, COLUMNS, rows, COLUMNS, total, SUM, rows);
    for (long n = 0; n < 64; n += wide * LANES) {
        V v[14][4];
        ALL(int i = 0; i < rows; i++) ALL(int j = 0; j < wide; j++) v[i][j] = all(0);
        for (long p = 0; p < COLUMNS; p++) {
            V w[4];
            ALL(int j = 0; j < wide; j++) w[j] = load(d->values + p * 64 + n + j * LANES);
            ALL(int i = 0; i < rows; i++) ALL(int j = 0; j < wide; j++) v[i][j] = added(all(d->scratch[i * COLUMNS + p]), w[j], v[i][j]);
        }
        ALL(int i = 0; i < rows; i++) ALL(int j = 0; j < wide; j++) store(d->out + (r + i) * 64 + n + j * LANES, v[i][j] * all(1 / total[i]));
    }
}

INLINE void attention(const Data *d, long k, int rows, int wide, int side, Take take, int summed)
{
    product(d, k, rows, wide, side, MAXIMUM, take, BLOCK, ROWS, 64);
    for (long r = 0; r < ROWS; r += 6) values(d, r, 6, LANES == 16 ? 4 : 2, summed);
}

/* ---- the ways of each tile of registers ---- */

typedef void Call(const Data *, long);
typedef struct { const char *name; Call *call; } Way;

#define PRODUCT(T, R, W, S, name, ...) static void name##T(const Data *d, long k) { product(d, k, R, W, S, __VA_ARGS__); }
#define ATTENTION(T, R, W, S, name, ...) static void name##T(const Data *d, long k) { attention(d, k, R, W, S, __VA_ARGS__); }
#define FEW(R) (R == 6 ? 18 : R) /* rows beside strips of 256 columns, at most 18 KiB */

/* T: its name; R rows by W vectors; S rows side by side in a second pass. b: stored, and its maximum; a: the maximum alone; s: the sum of exponentials alone. */
#define TILE(T, R, W, S) \
    PRODUCT(T, R, W, S, b_product, MAXIMUM, NOT, BLOCK, ROWS, 64) \
    PRODUCT(T, R, W, S, b_after, MAXIMUM, AFTER, BLOCK, ROWS, 64) \
    PRODUCT(T, R, W, S, b_near, MAXIMUM, NEAR, BLOCK, ROWS / 3, 64) \
    PRODUCT(T, R, W, FEW(R) % S ? FEW(R) : S, b_wide, MAXIMUM, NEAR, BLOCK, FEW(R), 256) \
    PRODUCT(T, R, W, S, b_vectors, MAXIMUM, VECTORS, BLOCK, ROWS, 64) \
    PRODUCT(T, R, W, S, b_folded, MAXIMUM, FOLDED, BLOCK, ROWS, 64) \
    PRODUCT(T, R, W, S, a_product, MAXIMUM, NOT, NOWHERE, ROWS, 64) \
    PRODUCT(T, R, W, S, a_near, MAXIMUM, NEAR, SCRATCH, ROWS / 3, 64) \
    PRODUCT(T, R, W, FEW(R) % S ? FEW(R) : S, a_wide, MAXIMUM, NEAR, SCRATCH, FEW(R), 256) \
    PRODUCT(T, R, W, S, a_vectors, MAXIMUM, VECTORS, NOWHERE, ROWS, 64) \
    PRODUCT(T, R, W, S, a_folded, MAXIMUM, FOLDED, NOWHERE, ROWS, 64) \
    PRODUCT(T, R, W, S, a_across, MAXIMUM, ACROSS, NOWHERE, ROWS, 64) \
    PRODUCT(T, R, W, S, s_after, SUM, AFTER, BLOCK, ROWS, 64) \
    PRODUCT(T, R, W, S, s_near, SUM, NEAR, SCRATCH, ROWS / 3, 64) \
    PRODUCT(T, R, W, FEW(R) % S ? FEW(R) : S, s_wide, SUM, NEAR, SCRATCH, FEW(R), 256) \
    PRODUCT(T, R, W, S, s_vectors, SUM, VECTORS, NOWHERE, ROWS, 64) \
    PRODUCT(T, R, W, S, s_folded, SUM, FOLDED, NOWHERE, ROWS, 64) \
    PRODUCT(T, R, W, S, s_across, SUM, ACROSS, NOWHERE, ROWS, 64) \
    ATTENTION(T, R, W, S, t_after, AFTER, 0) \
    ATTENTION(T, R, W, S, t_vectors, VECTORS, 0) \
    ATTENTION(T, R, W, S, t_summed, AFTER, 1) \
    ATTENTION(T, R, W, S, t_both, VECTORS, 1)

#define STORED(T) {{"after", b_after##T}, {"near 64", b_near##T}, {"near 256", b_wide##T}, {"vectors", b_vectors##T}, {"folded", b_folded##T}, {"product", b_product##T}}
#define ALONE(T) {{"after", b_after##T}, {"near 64", a_near##T}, {"near 256", a_wide##T}, {"vectors", a_vectors##T}, {"folded", a_folded##T}, {"across", a_across##T}, {"product", a_product##T}}
#define SUMS(T) {{"after", s_after##T}, {"near 64", s_near##T}, {"near 256", s_wide##T}, {"vectors", s_vectors##T}, {"folded", s_folded##T}, {"across", s_across##T}}
#define WHOLE(T) {{"after", t_after##T}, {"maximum in registers", t_vectors##T}, {"sum with exp", t_summed##T}, {"both", t_both##T}}

#ifdef __AVX512F__
TILE(_6x64, 6, 4, 14)
TILE(_14x32, 14, 2, 14)
enum { TILES = 2 };
static const char *const tiles[TILES] = {"6x64", "14x32"};
#define EACH(F) {F(_6x64), F(_14x32)}
#else
TILE(_6x16, 6, 2, 6)
enum { TILES = 1 };
static const char *const tiles[TILES] = {"6x16"};
#define EACH(F) {F(_6x16)}
#endif

/* ---- measured ---- */

static double now(void) { struct timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static int compare(const void *x, const void *y) { double d = *(const double *)x - *(const double *)y; return (d > 0) - (d < 0); }

static float *array(long n)
{
    float *x = aligned_alloc(4096, (n * sizeof(float) + 4095) / 4096 * 4096);
    if (!x) exit(1);
    for (long i = 0; i < n; i++) x[i] = (float)rand() / (float)RAND_MAX - 0.5f;
    return x;
}

/* All ways but those of other results give what the first gives, NaN in a row too. */
static void checked(const char *what, const Way *ways, int count, const Data *d, long k, const float *found, int size)
{
    float first[ROWS * 64];
    for (int w = 0; w < count; w++) {
        if (strcmp(ways[w].name, "product") == 0 || strcmp(ways[w].name, "across") == 0) continue;
        ways[w].call(d, k);
        if (w == 0) memcpy(first, found, size * sizeof(float));
        for (int i = 0; i < size; i++)
            if (fabsf(first[i] - found[i]) > 1e-4f * fabsf(first[i]) || isnan(first[i]) != isnan(found[i])) { printf("%s, %s: %g for %g at %d\n", what, ways[w].name, found[i], first[i], i); exit(1); }
    }
}

static void timed(const char *what, const char *tile, long k, const Way *ways, int count, double seconds)
{
    static double took[WAYS][MOST];
    Data d = {array(ROWS * k), array(COLUMNS * k), array(ROWS * COLUMNS), array(ROWS * COLUMNS), array(ROWS * LANES), array(ROWS), array(COLUMNS * 64), array(ROWS * 64)};
    const int is_whole = strcmp(what, "attention") == 0;
    d.a[5 * k] = NAN;
    checked(what, ways, count, &d, k, is_whole ? d.out : d.result, is_whole ? ROWS * 64 : ROWS);
    d.a[5 * k] = 0.5f;
    long again = 1 + 1000000 / (ROWS * k), turns = 0;
    for (double end = now() + seconds; turns < MOST && (turns < 3 || now() < end); turns++)
        for (int i = 0; i < count; i++) {
            int w = turns % 2 ? count - 1 - i : i;
            double start = now();
            for (long r = 0; r < again; r++) ways[w].call(&d, k);
            took[w][turns] = (now() - start) / again;
        }
    printf("%-10s %-6s k %-4ld", what, tile, k);
    for (int w = 0; w < count; w++) qsort(took[w], turns, sizeof(double), compare);
    for (int w = 0; w < count; w++) printf("  %s %.1f (%.1f) %.3f (%.3f)", ways[w].name, took[w][0] * 1e6, took[w][turns / 2] * 1e6, took[w][0] / took[0][0], took[w][turns / 2] / took[0][turns / 2]);
    printf("  %ld turns\n", turns);
    fflush(stdout);
    float *arrays[] = {d.a, d.b, d.c, d.scratch, d.partial, d.result, d.values, d.out};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

int main(int count, char **words)
{
    static const Way stored[TILES][6] = EACH(STORED), alone[TILES][7] = EACH(ALONE), sums[TILES][6] = EACH(SUMS), whole[TILES][4] = EACH(WHOLE);
    static const long steps[] = {32, 64, 128, 256};
    double seconds = count > 1 ? atof(words[1]) : 2;
    for (int t = 0; t < TILES; t++) {
        for (int i = 0; i < 4; i++) timed("stored", tiles[t], steps[i], stored[t], 6, seconds);
        for (int i = 0; i < 4; i++) timed("alone", tiles[t], steps[i], alone[t], 7, seconds);
        for (int i = 0; i < 4; i++) timed("exp, sum", tiles[t], steps[i], sums[t], 6, seconds);
        timed("attention", tiles[t], 64, whole[t], 4, seconds);
    }
}
