/* Seconds of `chain` additions, each waiting for the one before. */
static double additions(int64_t chain)
{
    const double start = now();
    int64_t x = 1;
    for (int64_t i = 0; i < chain; i += 16) {
#define ADD x += i; __asm__ volatile("" : "+r"(x));
        ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
    }
    return now() - start;
}

static void call(void *kernel, void **a, int count)
{
    switch (count) {
    case 1: ((void (*)(void *))kernel)(a[0]); break;
    case 2: ((void (*)(void *, void *))kernel)(a[0], a[1]); break;
    case 3: ((void (*)(void *, void *, void *))kernel)(a[0], a[1], a[2]); break;
    default: ((void (*)(void *, void *, void *, void *))kernel)(a[0], a[1], a[2], a[3]);
    }
}

/* Seconds of `calls` calls; *clock: seconds of the chain, the lesser of before and after. */
double turn(void *kernel, void **arrays, int count, int64_t calls, int64_t chain, double *clock)
{
    const double before = additions(chain), start = now();
    for (int64_t i = 0; i < calls; i++) call(kernel, arrays, count);
    const double taken = now() - start, after = additions(chain);
    *clock = before < after ? before : after;
    return taken;
}
