#include "shim.h"

/* As libxsmm.h has them; the header of Debian's 1.17 does not compile with every compiler. */
typedef void (*libxsmm_smmfunction)(const float *a, const float *b, float *c, ...);
void libxsmm_init(void);
libxsmm_smmfunction libxsmm_smmdispatch(int m, int n, int k, const int *lda, const int *ldb, const int *ldc, const float *alpha, const float *beta, const int *flags, const int *prefetch);

typedef struct { problem_t p; libxsmm_smmfunction kernel; } state_t;

MAKE
{
    /* Rows here are columns there: the transposed product, operands changed over. */
    const int flags = 0, prefetch = 0;
    const int lda = n, ldb = k, ldc = n;
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
