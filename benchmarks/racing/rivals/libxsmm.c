#include "shim.h"
#include <libxsmm.h>

typedef struct { problem_t p; libxsmm_smmfunction kernel; } state_t;

MAKE
{
    /* Rows here are columns there: the transposed product, operands changed over. */
    const int flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_PREFETCH_NONE;
    const libxsmm_blasint lda = n, ldb = k, ldc = n;
    const float alpha = 1, beta = 0;
    libxsmm_init();
    libxsmm_smmfunction kernel = libxsmm_smmdispatch(n, m, k, &lda, &ldb, &ldc, &alpha, &beta, &flags, &prefetch);
    if (!kernel) return NULL;
    problem_t given = GIVEN;
    state_t *s = malloc(sizeof *s);
    s->p = given;
    s->kernel = kernel;
    return s;
}

EXPORT void run(void *state)
{
    const state_t *s = state;
    const problem_t *p = &s->p;
    for (long i = 0; i < p->batch; i++)
        s->kernel((const float *)p->b + i * p->k * p->n, (const float *)p->a + i * p->m * p->k, (float *)p->c + i * p->m * p->n);
}

EXPORT void done(void *state) { free(state); }
LOOP
