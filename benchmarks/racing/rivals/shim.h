/* What every shim shares: the problem, and how it is called; shim.py says what the four functions do. */
#include <stdlib.h>
#include <string.h>

enum { F32, BF16, U8S8 };

typedef struct {
    int way, dtype, col, constant, threads;
    long batch, m, k, n;
    const void *a, *b;
    void *c;
} problem_t;

#ifdef __cplusplus
#define EXPORT extern "C"
#else
#define EXPORT
#endif

#define MAKE EXPORT void *make(int way, int dtype, long batch, long m, long k, long n, int col, int constant, int threads, const void *a, const void *b, void *c)
#define GIVEN { way, dtype, col, constant, threads, batch, m, k, n, a, b, c }
#define LOOP EXPORT void loop(void *state, long count) { for (long i = 0; i < count; i++) run(state); }
