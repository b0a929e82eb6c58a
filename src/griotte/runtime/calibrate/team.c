#include <pthread.h>

/* Two shares of `steps` turns each; by another thread than `self` the second reads the room first, if there is one. */
struct work {
    int64_t steps;
    volatile float *room;
    pthread_t self;
    int handed;
};

enum { LINES = 256, TURNS_OF = 8, LONG_ENOUGH = 20000 }; /* turns in which a second thread begins */

static void compute(void *context, int64_t share)
{
    struct work *const work = context;
    float sum = 0;
    if (share == 1 && !pthread_equal(work->self, pthread_self())) {
        for (int i = 0; work->room && i < LINES; i++) sum += work->room[LINE / sizeof(float) * i];
        work->handed = 1;
    }
    for (int64_t i = 0; i < work->steps; i++) __asm__ volatile("");
    if (sum == 1e30f) sink += sum;
}

/* The least of some calls of so many shares, in seconds, for a few milliseconds: a thread whose core others use as well
 * is late by far more than it takes. */
static double least(int64_t shares)
{
    struct work work = {LONG_ENOUGH, NULL, pthread_self(), 0};
    const double start = now();
    double least = 1, from = start;
    while (from < start + 0.002) {
        griotte_share_out(2, shares, compute, &work);
        const double to = now();
        least = to - from < least ? to - from : least;
        from = to;
    }
    return least;
}

/* What two shares on two threads take longer than one on one. */
double fork_join(char *room, int64_t a, int64_t b)
{
    const double one = cycle(), more = least(2) - least(1);
    return more > 0 ? more / one : 0;
}

/* The first thread writes lines that the second has read since it wrote them, or that nobody has. Cycles of a line. */
static double handed(char *room, int reads)
{
    struct work work = {LONG_ENOUGH, reads ? (volatile float *)room : NULL, pthread_self(), 0};
    double cycles = 0;
    int counted = 0;
    for (int n = 0; n < TURNS_OF; n++) {
        const double before = cycle(), start = now();
        for (int i = 0; i < LINES; i++) ((volatile float *)room)[LINE / sizeof(float) * i] = (float)n;
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        const double taken = now() - start, after = cycle();
        cycles += work.handed ? taken / LINES / agreed(before, after) : 0;
        counted += work.handed;
        work.handed = 0;
        griotte_share_out(2, 2, compute, &work);
    }
    return counted ? cycles / counted : NAN;
}

double transfer(char *room, int64_t a, int64_t b) { return handed(room, 1); }
double own(char *room, int64_t a, int64_t b) { return handed(room, 0); }

/* Each share reads lines of its own, or copies the first half of them to the second. */
struct sweep {
    char *from;
    int64_t lines, passes;
    pthread_t self;
    int apart, copies;
};

static void copied(char *from, int64_t lines)
{
    V *const to = (V *)(from + LINE * lines);
    for (int64_t i = 0; i < lines; i += 4) {
        const V *x = (const V *)(from + LINE * i);
        for (int v = 0; v < 4 * PER_LINE; v++) to[i * PER_LINE + v] = x[v];
    }
    __asm__ volatile("" : : : "memory");
}

static void swept(void *context, int64_t share)
{
    struct sweep *const sweep = context;
    char *const from = sweep->from + share * LINE * sweep->lines;
    I s[4] = {0};
    if (share == 1) sweep->apart = !pthread_equal(sweep->self, pthread_self());
    if (sweep->copies) {
        for (int64_t n = 0; n < sweep->passes; n++) copied(from, sweep->lines / 2);
        return;
    }
    for (int64_t n = 0; n < sweep->passes; n++)
        for (int64_t i = 0; i < sweep->lines; i += 4) {
            const I *x = (const I *)(from + LINE * i);
            for (int v = 0; v < 4 * PER_LINE; v++) s[v & 3] ^= x[v];
        }
    s[0] ^= s[1] ^ s[2] ^ s[3];
    KEEP(s[0])
}

/* One thread goes over half of so many bytes, or two threads over a half each. Cycles of a line that one of them reads. */
static double side_by_side(char *room, int64_t bytes, int64_t shares, int copies)
{
    /* of what rests in a cache several times: a second thread begins a little later */
    struct sweep sweep = {room + place(bytes), OVER(bytes) / (16 * LINE) * 8, bytes <= PART ? 4 : 1, pthread_self(), 1,
        copies};
    if (bytes <= PART) griotte_share_out(2, shares, swept, &sweep);
    BEGIN
    griotte_share_out(2, shares, swept, &sweep);
    END(sweep.apart ? (double)(sweep.passes * sweep.lines) / (1 + copies) : NAN)
}

double both(char *room, int64_t bytes, int64_t shares) { return side_by_side(room, bytes, shares, 0); }
double both_copy(char *room, int64_t bytes, int64_t shares) { return side_by_side(room, bytes, shares, 1); }
