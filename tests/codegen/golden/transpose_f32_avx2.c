/*
 * transpose(f32[21,34], perm=(1,0)) -> f32[34,21]
 *
 * avx2, 1 thread, cycles by the model
 *
 * transpose i0=21 i1=34, lanes along i0
 */
#include <cpuid.h>
#include <stddef.h>
#include <stdint.h>
#include <immintrin.h>
#pragma GCC diagnostic ignored "-Wpsabi"

typedef float f32x8 __attribute__((vector_size(32)));
typedef float f32x8_unaligned __attribute__((vector_size(32), aligned(1), may_alias));
typedef int32_t s32x8 __attribute__((vector_size(32)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));

/* helpers:
 * load_parts_f32x8, store_f32x8 */


/* y[i1 i0] = p0[i0 i1], i0=21 i1=34, lanes along i0 */
static void transpose_21x34_0(const float *restrict p0, float *restrict y)
{
    for (int64_t i = 0; i < 16; i += 8) {
        for (int64_t j = 0; j < 34; j += 4) {
            const int64_t at = j < 30 ? j : 30;
            const float *s = p0 + i * 34 + at;
            float *t = y + i + at * 21;
            const f32x8 r0 = load_parts_f32x8(s, s + 136);
            const f32x8 r1 = load_parts_f32x8(s + 34, s + 170);
            const f32x8 r2 = load_parts_f32x8(s + 68, s + 204);
            const f32x8 r3 = load_parts_f32x8(s + 102, s + 238);
            const f32x8 t0_0 = __builtin_shufflevector(r0, r2, 0, 8, 1, 9, 4, 12, 5, 13);
            const f32x8 t0_1 = __builtin_shufflevector(r0, r2, 2, 10, 3, 11, 6, 14, 7, 15);
            const f32x8 t0_2 = __builtin_shufflevector(r1, r3, 0, 8, 1, 9, 4, 12, 5, 13);
            const f32x8 t0_3 = __builtin_shufflevector(r1, r3, 2, 10, 3, 11, 6, 14, 7, 15);
            const f32x8 t1_0 = __builtin_shufflevector(t0_0, t0_2, 0, 8, 1, 9, 4, 12, 5, 13);
            const f32x8 t1_1 = __builtin_shufflevector(t0_0, t0_2, 2, 10, 3, 11, 6, 14, 7, 15);
            const f32x8 t1_2 = __builtin_shufflevector(t0_1, t0_3, 0, 8, 1, 9, 4, 12, 5, 13);
            const f32x8 t1_3 = __builtin_shufflevector(t0_1, t0_3, 2, 10, 3, 11, 6, 14, 7, 15);
            store_f32x8(t, t1_0);
            store_f32x8(t + 21, t1_1);
            store_f32x8(t + 42, t1_2);
            store_f32x8(t + 63, t1_3);
        }
    }
    for (int64_t j = 0; j < 34; j += 4) {
        const int64_t at = j < 30 ? j : 30;
        const float *s = p0 + at + 442;
        float *t = y + at * 21 + 13;
        const f32x8 r0 = load_parts_f32x8(s, s + 136);
        const f32x8 r1 = load_parts_f32x8(s + 34, s + 170);
        const f32x8 r2 = load_parts_f32x8(s + 68, s + 204);
        const f32x8 r3 = load_parts_f32x8(s + 102, s + 238);
        const f32x8 t0_0 = __builtin_shufflevector(r0, r2, 0, 8, 1, 9, 4, 12, 5, 13);
        const f32x8 t0_1 = __builtin_shufflevector(r0, r2, 2, 10, 3, 11, 6, 14, 7, 15);
        const f32x8 t0_2 = __builtin_shufflevector(r1, r3, 0, 8, 1, 9, 4, 12, 5, 13);
        const f32x8 t0_3 = __builtin_shufflevector(r1, r3, 2, 10, 3, 11, 6, 14, 7, 15);
        const f32x8 t1_0 = __builtin_shufflevector(t0_0, t0_2, 0, 8, 1, 9, 4, 12, 5, 13);
        const f32x8 t1_1 = __builtin_shufflevector(t0_0, t0_2, 2, 10, 3, 11, 6, 14, 7, 15);
        const f32x8 t1_2 = __builtin_shufflevector(t0_1, t0_3, 0, 8, 1, 9, 4, 12, 5, 13);
        const f32x8 t1_3 = __builtin_shufflevector(t0_1, t0_3, 2, 10, 3, 11, 6, 14, 7, 15);
        store_f32x8(t, t1_0);
        store_f32x8(t + 21, t1_1);
        store_f32x8(t + 42, t1_2);
        store_f32x8(t + 63, t1_3);
    }
}

__attribute__((target("general-regs-only"))) const char *griotte_copy_80ea877b_check(void)
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

uint32_t griotte_copy_80ea877b_abi(void)
{
    return 0x1890e88;
}

void griotte_copy_80ea877b(const float *x0, float *y)
{
    transpose_21x34_0(x0, y);
}
