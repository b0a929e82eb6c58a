/* What two threads take that write neighbouring rows of one array, each by rows, or by strips of columns down, up or inwards: a thread that walks down rows has the rows after its own fetched for it, and another writes these.

       gcc -O3 -march=x86-64-v3 -fopenmp docs/lab/strips/strips.c -o strips && OMP_PROC_BIND=true ./strips

   y = x0 x1, 36 x 1224 of rows of 1244, f32, two steps; 20 rows for the first thread and 16 for the second, whose rows begin so many elements further on. Least of 3,000, microseconds. */
#include <immintrin.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PITCH = 1244, WIDTH = 24, HEIGHT = 4, FIRST = 20, SECOND = 16, REPEATS = 3000 };

static float x0[2 * (FIRST + SECOND)], x1[2 * PITCH];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void __attribute__((noinline)) leaf(const float *a, const float *b, float *y)
{
    for (int r = 0; r < HEIGHT; r++)
        for (int j = 0; j < WIDTH; j += 8)
            _mm256_storeu_ps(y + r * PITCH + j, _mm256_fmadd_ps(_mm256_set1_ps(a[2 * r]), _mm256_loadu_ps(b + j), _mm256_mul_ps(_mm256_set1_ps(a[2 * r + 1]), _mm256_loadu_ps(b + PITCH + j))));
}

enum { ROWS, DOWN, UP, INWARDS, ORDERS };

static const char *const names[] = {"rows", "down", "up", "inwards"};

/* From both ends to the middle where it is inwards. */
static int row(int turn, int count, int order)
{
    return HEIGHT * (order == UP ? count - 1 - turn : order == DOWN || turn < count / 2 ? turn : count / 2 + count - 1 - turn);
}

static void by_strips(float *y, int rows, int order)
{
    for (int c = 0; c + WIDTH <= PITCH; c += WIDTH)
        for (int t = 0; t < rows / HEIGHT; t++) {
            int r = row(t, rows / HEIGHT, order);
            leaf(x0 + 2 * r, x1 + c, y + r * PITCH + c);
        }
}

static void by_rows(float *y, int rows)
{
    for (int r = 0; r < rows; r += HEIGHT)
        for (int c = 0; c + WIDTH <= PITCH; c += WIDTH) leaf(x0 + 2 * r, x1 + c, y + r * PITCH + c);
}

static void part(float *y, int rows, int order)
{
    if (order == ROWS) by_rows(y, rows);
    else by_strips(y, rows, order);
}

static double least(float *y, long gap, int first, int second, int threads)
{
    double best = 1e9;
    for (int k = 0; k < REPEATS; k++) {
        double t = now();
        if (threads == 1) part(y, FIRST + SECOND, first);
        else {
#pragma omp parallel num_threads(2)
            {
                if (omp_get_thread_num()) part(y + FIRST * PITCH + gap, SECOND, second);
                else part(y, FIRST, first);
            }
        }
        t = now() - t;
        if (t < best) best = t;
    }
    return best;
}

int main(void)
{
    float *y = aligned_alloc(4096, 1 << 22);
    for (int i = 0; i < 1 << 20; i++) y[i] = 1;
    long gaps[] = {0, 16, 1024, 16384};
    for (int a = 0; a < ORDERS; a++) printf("one thread, %s: %.2f\n", names[a], least(y, 0, a, a, 1));
    for (int g = 0; g < 4; g++)
        for (int a = 0; a < ORDERS; a++) {
            printf("%6ld elements between, the first %7s, the second", gaps[g], names[a]);
            for (int b = 0; b < ORDERS; b++) printf("  %s %5.2f", names[b], least(y, gaps[g], a, b, 2));
            printf("\n");
        }
}
