/* Sums of rows, so many side by side: nanoseconds of a line. gcc -O3 -mavx2 abreast.c && ./a.out ROWS COLUMNS .. */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

#define ROWS(N)                                                                                                        \
    __attribute__((noinline)) static float rows_##N(const float *x, long columns)                                      \
    {                                                                                                                  \
        __m256 sums[N];                                                                                                \
        float found = 0;                                                                                               \
        for (int r = 0; r < N; r++) sums[r] = _mm256_setzero_ps();                                                     \
        for (long i = 0; i < columns / 8 * 8; i += 8)                                                                  \
            _Pragma("GCC unroll 16") for (int r = 0; r < N; r++)                                                       \
                sums[r] = _mm256_add_ps(sums[r], _mm256_loadu_ps(x + r * columns + i));                                \
        for (int r = 0; r < N; r++) found += sums[r][0] + sums[r][3];                                                  \
        return found;                                                                                                  \
    }
ROWS(2) ROWS(4) ROWS(6) ROWS(8) ROWS(12)

int main(int count, char **words)
{
    enum { WAYS = 5, TURNS = 15, BEGIN = 4 };
    float (*const ways[WAYS])(const float *, long) = {rows_2, rows_4, rows_6, rows_8, rows_12};
    const int together[WAYS] = {2, 4, 6, 8, 12};
    volatile float kept;
    for (int word = 1; word + 1 < count; word += 2) {
        const long rows = atol(words[word]), columns = atol(words[word + 1]), passes = 1 + 4000000 / (rows * columns);
        const size_t bytes = (rows * columns * 4 + 3 * 4096) / 4096 * 4096;
        float *room = aligned_alloc(4096, bytes);
        double least[WAYS] = {1, 1, 1, 1, 1};
        memset(room, 0, bytes);
        for (int turn = 0; turn < TURNS; turn++)
            for (int way = 0; way < WAYS; way++) {
                const int step = together[way];
                const double from = now();
                for (long pass = 0; pass < passes; pass++)
                    for (long r = 0; r + step <= rows; r += step) kept = ways[way](room + BEGIN + r * columns, columns);
                const double taken = (now() - from) / passes / (rows / step * step) / (columns * 4 / 64.0);
                if (taken < least[way]) least[way] = taken;
            }
        printf("%ldx%ld", rows, columns);
        for (int way = 0; way < WAYS; way++) printf("  %d: %.2f", together[way], 1e9 * least[way]);
        printf("\n");
        free(room);
    }
    (void)kept;
}
