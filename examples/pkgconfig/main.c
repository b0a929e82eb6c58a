/* A C program that finds a package by pkg-config: an exponential on the threads of the program, here two of its own.
 *
 *   griotte compile "exp(f32[512,512])" --threads 2 --threads-by host -o exp512 --name exp512 --pkgconfig
 *   export PKG_CONFIG_PATH=$PWD/exp512
 *   cc main.c $(pkg-config --cflags --libs exp512) -pthread -lm -o main && ./main
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "exp512.h"

struct work {
    void (*run)(void *context, int64_t share);
    void *context;
    int64_t share;
};

static void *one(void *given)
{
    const struct work *const work = given;
    work->run(work->context, work->share);
    return NULL;
}

/* A thread for each share but the first, which is done here. A program of more calls would keep its threads. */
static void parallel_for(void *host, int64_t shares, void (*run)(void *context, int64_t share), void *context)
{
    pthread_t threads[16];
    struct work works[16];
    int64_t made = 0;
    *(int64_t *)host += shares;
    for (int64_t i = 1; i < shares; i++) {
        works[i % 16] = (struct work){run, context, i};
        if (i < 16 && !pthread_create(&threads[i], NULL, one, &works[i]) && ++made == i)
            continue;
        run(context, i);
    }
    run(context, 0);
    for (int64_t i = 1; i <= made; i++)
        pthread_join(threads[i], NULL);
}

static float x[512 * 512], y[512 * 512];

int main(void)
{
    int64_t shares = 0;
    double largest = 0;
    if (exp512_abi() != EXP512_ABI)
        return puts("exp512.h and the library that is linked do not belong together"), 1;
    for (int i = 0; i < 512 * 512; i++)
        x[i] = (float)(i % 1000) / 100 - 5;
    exp512_share_by(parallel_for, &shares);
    const int status = exp512(x, y);
    if (status != EXP512_OK)
        return puts(exp512_message(status)), status;
    for (int i = 0; i < 512 * 512; i++)
        largest = fmax(largest, fabs(y[i] / exp(x[i]) - 1));
    printf("by %s, %d shares, largest relative error %s 1e-6\n", exp512_target(), (int)shares,
           largest < 1e-6 ? "below" : "above");
    return 0;
}
