#include "shim.h"
#include <mkl.h>

enum { GEMM, PACKED, GEMV, BATCH, JIT };
typedef struct { problem_t p; void *packed, *jitter; sgemm_jit_kernel_t kernel; } state_t;

static MKL_INT ldb(const problem_t *p) { return p->col ? p->k : p->n; }
static CBLAS_TRANSPOSE order(const problem_t *p) { return p->col ? CblasTrans : CblasNoTrans; }

MAKE
{
    problem_t given = GIVEN;
    state_t *s = calloc(1, sizeof *s);
    s->p = given;
    const problem_t *p = &s->p;
    int fits = way == GEMM ? batch == 1 : way == PACKED ? constant && batch == 1 : way == GEMV ? m == 1 && batch == 1 && dtype == F32 : way == BATCH ? batch > 1 && dtype == F32
        : batch == 1 && dtype == F32 && m * n * k <= 256L * 256 * 256;
    if (fits && way == JIT)
        fits = mkl_jit_create_sgemm(&s->jitter, MKL_ROW_MAJOR, MKL_NOTRANS, col ? MKL_TRANS : MKL_NOTRANS, m, n, k, 1.0f, k, ldb(p), 0.0f, n) == MKL_JIT_SUCCESS;
    if (!fits) { free(s); return NULL; }
    mkl_set_num_threads(threads);
    mkl_set_dynamic(0);
    if (way == JIT) s->kernel = mkl_jit_get_sgemm_ptr(s->jitter);
    if (way == PACKED && dtype == F32) {
        s->packed = mkl_malloc(cblas_sgemm_pack_get_size(CblasBMatrix, m, n, k), 64);
        cblas_sgemm_pack(CblasRowMajor, CblasBMatrix, order(p), m, n, k, 1.0f, b, ldb(p), s->packed);
    }
    if (way == PACKED && dtype == BF16) {
        s->packed = mkl_malloc(cblas_gemm_bf16bf16f32_pack_get_size(CblasBMatrix, m, n, k), 64);
        cblas_gemm_bf16bf16f32_pack(CblasRowMajor, CblasBMatrix, order(p), m, n, k, b, ldb(p), s->packed);
    }
    if (way == PACKED && dtype == U8S8) {
        s->packed = mkl_malloc(cblas_gemm_s8u8s32_pack_get_size(CblasBMatrix, m, n, k), 64);
        cblas_gemm_s8u8s32_pack(CblasRowMajor, CblasBMatrix, order(p), m, n, k, b, ldb(p), s->packed);
    }
    return s;
}

EXPORT void run(void *state)
{
    const state_t *s = state;
    const problem_t *p = &s->p;
    const MKL_INT m = p->m, n = p->n, k = p->k;
    const MKL_INT32 zero = 0;
    switch (p->way) {
    case JIT: s->kernel(s->jitter, (float *)p->a, (float *)p->b, p->c); break;
    case GEMV:
        if (p->col) cblas_sgemv(CblasRowMajor, CblasNoTrans, n, k, 1.0f, p->b, k, p->a, 1, 0.0f, p->c, 1);
        else cblas_sgemv(CblasRowMajor, CblasTrans, k, n, 1.0f, p->b, n, p->a, 1, 0.0f, p->c, 1);
        break;
    case BATCH: cblas_sgemm_batch_strided(CblasRowMajor, CblasNoTrans, order(p), m, n, k, 1.0f, p->a, k, m * k, p->b, ldb(p), k * n, 0.0f, p->c, n, m * n, p->batch); break;
    case GEMM:
        if (p->dtype == F32) cblas_sgemm(CblasRowMajor, CblasNoTrans, order(p), m, n, k, 1.0f, p->a, k, p->b, ldb(p), 0.0f, p->c, n);
        else if (p->dtype == BF16) cblas_gemm_bf16bf16f32(CblasRowMajor, CblasNoTrans, order(p), m, n, k, 1.0f, p->a, k, p->b, ldb(p), 0.0f, p->c, n);
        else cblas_gemm_s8u8s32(CblasRowMajor, CblasNoTrans, order(p), CblasFixOffset, m, n, k, 1.0f, p->a, k, 0, p->b, ldb(p), 0, 0.0f, p->c, n, &zero);
        break;
    case PACKED:
        if (p->dtype == F32) cblas_sgemm_compute(CblasRowMajor, CblasNoTrans, CblasPacked, m, n, k, p->a, k, s->packed, ldb(p), 0.0f, p->c, n);
        else if (p->dtype == BF16) cblas_gemm_bf16bf16f32_compute(CblasRowMajor, CblasNoTrans, CblasPacked, m, n, k, 1.0f, p->a, k, s->packed, ldb(p), 0.0f, p->c, n);
        else cblas_gemm_s8u8s32_compute(CblasRowMajor, CblasNoTrans, CblasPacked, CblasFixOffset, m, n, k, 1.0f, p->a, k, 0, s->packed, ldb(p), 0, 0.0f, p->c, n, &zero);
    }
}

EXPORT void done(void *state)
{
    state_t *s = state;
    if (s->packed) mkl_free(s->packed);
    if (s->jitter) mkl_jit_destroy(s->jitter);
    free(s);
}
LOOP
