/* Multiplications in registers, on every thread: way 0 by vectors, way 1 by tiles. The state begins with the flop of a run. */
#include "shim.h"
#include <immintrin.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRIPS 20000L
typedef struct { double work; problem_t p; } state_t;

#ifdef __AVX512BF16__
static void bf16(void)
{
    __m512 s[16] = {0};
    __m512i x = _mm512_setzero_si512(), y = x;
    __asm__ volatile("" : "+v"(x), "+v"(y));
    for (int i = 0; i < 16; i++) __asm__ volatile("" : "+v"(s[i])); /* equal sums would be computed once */
    for (long t = 0; t < TRIPS; t++)
        for (int i = 0; i < 16; i++) s[i] = _mm512_dpbf16_ps(s[i], (__m512bh)x, (__m512bh)y);
    for (int i = 0; i < 16; i++) __asm__ volatile("" :: "v"(s[i]));
}
#endif
#ifdef __AVX512VNNI__
static void u8s8(void)
{
    __m512i s[16] = {0}, x = _mm512_setzero_si512(), y = x;
    __asm__ volatile("" : "+v"(x), "+v"(y));
    for (int i = 0; i < 16; i++) __asm__ volatile("" : "+v"(s[i]));
    for (long t = 0; t < TRIPS; t++)
        for (int i = 0; i < 16; i++) s[i] = _mm512_dpbusd_epi32(s[i], x, y);
    for (int i = 0; i < 16; i++) __asm__ volatile("" :: "v"(s[i]));
}
#endif
#if defined __AMX_BF16__ && defined __AMX_INT8__
static void tiles(int dtype)
{
    static _Thread_local int ready;
    if (!ready) {
        struct { uint8_t palette, start, reserved[14]; uint16_t bytes[16]; uint8_t rows[16]; } c;
        memset(&c, 0, sizeof c);
        c.palette = 1;
        for (int i = 0; i < 8; i++) c.bytes[i] = 64, c.rows[i] = 16;
        _tile_loadconfig(&c);
        ready = 1;
    }
    _tile_zero(0); _tile_zero(1); _tile_zero(2); _tile_zero(3); _tile_zero(4); _tile_zero(5); _tile_zero(6); _tile_zero(7);
    if (dtype == BF16)
        for (long t = 0; t < TRIPS; t++) { _tile_dpbf16ps(0, 4, 6); _tile_dpbf16ps(1, 4, 7); _tile_dpbf16ps(2, 5, 6); _tile_dpbf16ps(3, 5, 7); }
    else
        for (long t = 0; t < TRIPS; t++) { _tile_dpbusd(0, 4, 6); _tile_dpbusd(1, 4, 7); _tile_dpbusd(2, 5, 6); _tile_dpbusd(3, 5, 7); }
}
#endif

static double work(int way, int dtype)
{
    if (way == 1) {
#if defined __AMX_BF16__ && defined __AMX_INT8__
        if (syscall(SYS_arch_prctl, 0x1023, 18) == 0) return 4.0 * TRIPS * 16 * 16 * (dtype == BF16 ? 64 : 128);
#endif
        return 0;
    }
#ifdef __AVX512BF16__
    if (dtype == BF16) return 16.0 * TRIPS * 64;
#endif
#ifdef __AVX512VNNI__
    if (dtype == U8S8) return 16.0 * TRIPS * 128;
#endif
    return 0;
}

MAKE
{
    problem_t given = GIVEN;
    if (!work(way, dtype)) return NULL;
    state_t *s = malloc(sizeof *s);
    s->work = work(way, dtype) * threads;
    s->p = given;
    return s;
}

EXPORT void run(void *state)
{
    const problem_t *p = &((state_t *)state)->p;
#pragma omp parallel num_threads(p->threads)
    {
#if defined __AMX_BF16__ && defined __AMX_INT8__
        if (p->way == 1) tiles(p->dtype);
#endif
#ifdef __AVX512BF16__
        if (p->way == 0 && p->dtype == BF16) bf16();
#endif
#ifdef __AVX512VNNI__
        if (p->way == 0 && p->dtype == U8S8) u8s8();
#endif
    }
}

EXPORT void done(void *state) { free(state); }
LOOP
