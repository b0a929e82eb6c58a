/* y = x B, B [k, n]: by columns a dot product for each output, by rows a sum of scaled rows. */
#include "shim.h"
#include <stdint.h>

static inline float widened(uint16_t bits) { union { uint32_t u; float f; } x = { (uint32_t)bits << 16 }; return x.f; }

#define DOT(name, type, value)                                                             \
    static void name(const problem_t *p)                                                   \
    {                                                                                      \
        const type *a = p->a, *b = p->b;                                                   \
        float *c = p->c;                                                                   \
        _Pragma("omp parallel for schedule(static) num_threads(p->threads)")               \
        for (long j = 0; j < p->n; j++) {                                                  \
            const type *w = b + j * p->k;                                                  \
            float sum = 0;                                                                 \
            _Pragma("omp simd reduction(+:sum) simdlen(64)")                               \
            for (long i = 0; i < p->k; i++) sum += value(a[i]) * value(w[i]);              \
            c[j] = sum;                                                                    \
        }                                                                                  \
    }
#define BLOCK 1024
#define AXPY(name, type, value)                                                            \
    static void name(const problem_t *p)                                                   \
    {                                                                                      \
        const type *a = p->a, *b = p->b;                                                   \
        float *c = p->c;                                                                   \
        _Pragma("omp parallel for schedule(static) num_threads(p->threads)")               \
        for (long from = 0; from < p->n; from += BLOCK) {                                  \
            const long to = from + BLOCK < p->n ? from + BLOCK : p->n;                     \
            float *restrict y = c;                                                         \
            for (long j = from; j < to; j++) y[j] = 0;                                     \
            for (long i = 0; i < p->k; i++) {                                              \
                const float x = value(a[i]);                                               \
                const type *restrict w = b + i * p->n;                                     \
                _Pragma("omp simd")                                                        \
                for (long j = from; j < to; j++) y[j] += x * value(w[j]);                  \
            }                                                                              \
        }                                                                                  \
    }
DOT(dot_f32, float, )
DOT(dot_bf16, uint16_t, widened)
AXPY(axpy_f32, float, )
AXPY(axpy_bf16, uint16_t, widened)

MAKE
{
    problem_t given = GIVEN, *p = malloc(sizeof *p);
    *p = given;
    return p;
}

EXPORT void run(void *state)
{
    const problem_t *p = state;
    if (p->dtype == F32) p->col ? dot_f32(p) : axpy_f32(p);
    else p->col ? dot_bf16(p) : axpy_bf16(p);
}

EXPORT void done(void *state) { free(state); }
LOOP
