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
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x4 __attribute__((vector_size(16)));
typedef float f32x4_unaligned __attribute__((vector_size(16), aligned(1), may_alias));
typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x4 __attribute__((vector_size(16)));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef int64_t s64x2 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

/* helpers:
 * load_f32x8, any_below_f32x8, at_most_f32x8, abs_f32x8, square_f32x8, square_low_f32x8, look_up_f32x8,
 * and_more_f32x8, cleared_f32x8, ratio_f32x8, at_least_f32x8, select_lt_f32x8, blend_f32x8, with_sign_f32x8,
 * settle_f32x8, gelu_wide_f32x8, gelu_f32x8, hold_f32x8, store_f32x8, load_f32x4, load_tail_f32x4, join_f32x8,
 * load_tail_f32x8, lower_f32x8, upper_f32x8, store_f32x4, store_tail_f32x4, store_tail_f32x8 */

/* codegen/team.c */


/* y[i0] = gelu(p0[i0]), i0=size, lanes along i0 */
static void map_any_0(int64_t size, const float *restrict p0, float *restrict y)
{
    const int64_t whole = size - size % 8;
    for (int64_t i = 0; i < whole; i += 8) {
        const f32x8 x0 = load_f32x8(p0 + i);
        store_f32x8(y + i, hold_f32x8(gelu_f32x8(x0)));
    }
    if (whole < size) {
        const f32x8 x0 = load_tail_f32x8(p0 + whole, (int)(size - whole));
        store_tail_f32x8(y + whole, hold_f32x8(gelu_f32x8(x0)), (int)(size - whole));
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

struct run_8 {
    int64_t size;
    int64_t share_2;
    const float *p0;
    float *y;
};

static void run_8(void *context, int64_t share)
{
    const struct run_8 *const given = context;
    const int64_t size = given->size;
    const int64_t share_2 = given->share_2;
    const float *const p0 = given->p0;
    float *const y = given->y;
    const int64_t tile_3 = share;
    const float *p_5 = p0 + tile_3 * share_2;
    float *y_6 = y + tile_3 * share_2;
    const int64_t left_4 = size - tile_3 * share_2 < share_2 ? size - tile_3 * share_2 : share_2;
    by_size_7(left_4, p_5, y_6);
}

/* gelu 12288, for 1024 times 3..12 */
static void by_size_1_1(int64_t size, const float *p0, float *y)
{
    const int64_t share_2 = (size + 1) / 2;
    struct run_8 given_9 = {size, share_2, p0, y};
    griotte_share_out(2, (size + share_2 - 1) / share_2, run_8, &given_9);
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

__attribute__((target("general-regs-only"))) const char *griotte_gelu_e267d10c_check(void)
{
    static const struct { const char *name; unsigned leaf, subleaf, word, bit, state; } needed[] = {
        {"avx", 1, 0, 2, 28, 0x6},
        {"fma", 1, 0, 2, 12, 0x6},
        {"f16c", 1, 0, 2, 29, 0x6},
        {"avx2", 7, 0, 1, 5, 0x6}
    };
    unsigned leaves, basic[4], found[4], low = 0, high = 0;
    __cpuid(0, leaves, found[1], found[2], found[3]);
    __cpuid(1, basic[0], basic[1], basic[2], basic[3]);
    if (basic[2] >> 27 & 1) /* the system lets programs read XCR0 */
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    for (int64_t i = 0; i < 4; i++) {
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

uint32_t griotte_gelu_e267d10c_abi(void)
{
    return 0x1166005;
}

void griotte_gelu_e267d10c(int64_t m, const float *x0, float *y)
{
    by_size_1(m * 1024, x0, y);
}
