/* Leaves of four rows by two vectors that read parts of 64 bytes of `rows` rows, which begin 16 bytes into a line, and go
   on along them: cycles of a step, beside those of a panel. gcc -O3 -mavx2 -mfma few.c -o few && ./few */
#define _POSIX_C_SOURCE 199309L
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ADDED = 20000000, ROUNDS = 30, WIDE = 64, MOST = 64 };
static float elements[4 * MOST];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Cycles in a second: additions that wait for each other. */
static double clock_rate(void)
{
    const double start = now();
    uint64_t x = 1;
    for (int i = 0; i < ADDED; i++) __asm__ volatile("add $1, %0" : "+r"(x));
    return ADDED / (now() - start);
}

#define EACH(X) X(0) X(1) X(2) X(3)
static __attribute__((noinline)) void leaf(float *y, int64_t apart, const char *from, int64_t pitch, int64_t rows)
{
#define X(m) __m256 u##m = _mm256_loadu_ps(y + m * apart), v##m = _mm256_loadu_ps(y + m * apart + 8);
    EACH(X)
#undef X
    for (int64_t k = 0; k < rows; k++, from += pitch) {
        const __m256 u = _mm256_loadu_ps((const float *)from), v = _mm256_loadu_ps((const float *)(from + 32));
#define X(m) \
    { \
        const __m256 a = _mm256_broadcast_ss(elements + m * MOST + k); \
        u##m = _mm256_fmadd_ps(a, u, u##m), v##m = _mm256_fmadd_ps(a, v, v##m); \
    }
        EACH(X)
#undef X
    }
#define X(m) _mm256_storeu_ps(y + m * apart, u##m), _mm256_storeu_ps(y + m * apart + 8, v##m);
    EACH(X)
#undef X
}

int main(void)
{
    static const int64_t count[] = {4, 6, 8, 12, 16, 32, 64}, pitches[] = {2064, 3088, 4112, 4096}, bytes = 300 << 10;
    char *const room = aligned_alloc(4096, 4 << 20);
    float *const y = aligned_alloc(4096, 1 << 20);
    memset(room, 0, 4 << 20), memset(y, 0, 1 << 20);
    double rate = 0;
    for (int i = 0; i < 50; i++) rate = clock_rate();
    for (int p = 0; p < 4; p++)
        for (int n = 0; n < 7; n++) {
            const int64_t rows = count[n], pitch = pitches[p], wide = pitch / WIDE, blocks = bytes / (rows * pitch);
            double least[2] = {1e9, 1e9};
            for (int round = 0; round < ROUNDS; round++)
                for (int panel = 0; panel < 2; panel++) {
                    const double start = now();
                    for (int64_t block = 0; block < blocks; block++)
                        for (int64_t at = 0; at < wide; at++)
                            leaf(y + at * 16, 2048, panel ? room + (block * wide + at) * rows * WIDE
                                                          : room + 16 + block * rows * pitch + at * WIDE,
                                panel ? WIDE : pitch, rows);
                    const double taken = (now() - start) * rate / (double)(blocks * wide * rows);
                    least[panel] = taken < least[panel] ? taken : least[panel];
                }
            printf("pitch %ld rows %2ld: %5.2f, panel %5.2f\n", (long)pitch, (long)rows, least[0], least[1]);
        }
    return 0;
}
