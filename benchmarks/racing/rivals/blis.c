#include "shim.h"

void cblas_sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
enum { ROWS = 101, AS_IS = 111, TRANSPOSED = 112 };

MAKE
{
    problem_t given = GIVEN, *p = malloc(sizeof *p);
    *p = given;
    return p;
}

EXPORT void run(void *state)
{
    const problem_t *p = state;
    const long m = p->m, n = p->n, k = p->k;
    for (long i = 0; i < p->batch; i++)
        cblas_sgemm(ROWS, AS_IS, p->col ? TRANSPOSED : AS_IS, m, n, k, 1, (const float *)p->a + i * m * k, k, (const float *)p->b + i * k * n, p->col ? k : n, 0, (float *)p->c + i * m * n, n);
}

EXPORT void done(void *state) { free(state); }
LOOP
