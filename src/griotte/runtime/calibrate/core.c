typedef float V __attribute__((vector_size(BYTES), aligned(BYTES), may_alias));
typedef int32_t I __attribute__((vector_size(BYTES), aligned(BYTES), may_alias));

V sink;
I sink_bits;
volatile float half = 0.5f;

#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define EIGHT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define K(j) KEEP(c[j])
#define PLUS(j) + c[j]

/* The cores' clock, and a look at all of the room: what was never touched is one page of zeros. */
double warmth(char *room, int64_t bytes, int64_t unused)
{
    for (int64_t i = 0; i < bytes; i += 64) *(float *)(room + i) = 1;
        /* no tiny numbers, which some cores are slow with */
    return cycle() * 1e9;
}

enum { TURNS = 3000 };

/* Sums of products, as leaves have them: what a multiply-add waits for is what it adds to, which some cores take later
   than what they multiply. No product is the one before. */
double multiply_add(char *room, int64_t a, int64_t b)
{
    V x = (V){0} + half, c[AT_ONCE] = {0};
    EACH_SUM(K)
    BEGIN
    for (int i = 0; i < TURNS; i++) {
#define X(j) KEEP(x) c[j] += x * x;
        EACH_SUM(X)
#undef X
    }
    END(AT_ONCE * TURNS + 0 * (sink = (V){0} EACH_SUM(PLUS), 1))
}

double chain(char *room, int64_t a, int64_t b)
{
    V x = (V){0} + half, c = {0};
    BEGIN
    for (int i = 0; i < TURNS; i++) {
        KEEP(x)
        c += x * x;
    }
    END(TURNS + 0 * (sink = c, 1))
}

double mixed(char *room, int64_t a, int64_t b)
{
    V x = (V){0} + half, c[PAIRS_AT_ONCE] = {0}, s[PAIRS_AT_ONCE] = {0};
#define X(j) KEEP(c[j]) KEEP(s[j])
    EACH_PAIR(X)
#undef X
    BEGIN
    for (int i = 0; i < TURNS; i++) {
#define X(j) KEEP(x) c[j] += x * x; s[j] += x;
        EACH_PAIR(X)
#undef X
    }
#define X(j) + c[j] + s[j]
    END(2 * PAIRS_AT_ONCE * TURNS + 0 * (sink = (V){0} EACH_PAIR(X), 1))
#undef X
}

/* Bits, not numbers: more ports take those. */
double load(char *room, int64_t a, int64_t b)
{
    I c[8] = {0};
    BEGIN
    for (int64_t i = 0; i < TURNS; i++) {
        const I *p = (const I *)room + (i & 7) * 8;
#define X(j) c[j] ^= p[j];
        EIGHT(X)
#undef X
    }
    END(8 * TURNS + 0 * (sink_bits = c[0] ^ c[1] ^ c[2] ^ c[3] ^ c[4] ^ c[5] ^ c[6] ^ c[7], 1))
}

double broadcast(char *room, int64_t a, int64_t b)
{
    I c[8] = {0};
    BEGIN
    for (int64_t i = 0; i < TURNS; i++) {
        const int32_t *p = (const int32_t *)room + (i & 7) * 8;
#define X(j) c[j] ^= p[j];
        EIGHT(X)
#undef X
    }
    END(8 * TURNS + 0 * (sink_bits = c[0] ^ c[1] ^ c[2] ^ c[3] ^ c[4] ^ c[5] ^ c[6] ^ c[7], 1))
}

double store(char *room, int64_t a, int64_t b)
{
    const V x = (V){0} + half;
    BEGIN
    for (int64_t i = 0; i < TURNS; i++) {
        V *p = (V *)room + (i & 7) * 8;
#define X(j) p[j] = x;
        EIGHT(X)
#undef X
        __asm__ volatile("" : : : "memory");
    }
    END(8 * TURNS)
}

/* Two multiply-adds, two loads and an integer addition, eight times; every load is of a value of its own. */
double issue(char *room, int64_t a, int64_t b)
{
    const V x = (V){0} + half, *p = (const V *)room;
    V c[8] = {0};
    int64_t n[4] = {0};
    BEGIN
    for (int64_t i = 0; i < TURNS; i++) {
        const V *q = p + (i & 3) * 8;
        V v;
#define X(j) v = q[j]; KEEP(v) c[j] += x * v; n[j & 3] += i; __asm__ volatile("" : "+r"(n[j & 3]));
        EIGHT(X)
#undef X
    }
    END((3 * 8 + 2) * TURNS + 0 * (sink = c[0] + c[1] + c[2] + c[3] + c[4] + c[5] + c[6] + c[7], 1))
}

/* A leaf: twelve accumulators, its steps, which are added to what is there. */
static __attribute__((noinline)) void leaf_of(V *y, const V *p, const float *q, int64_t steps)
{
    V c[12] = {0};
    for (int64_t i = 0; i < steps; i++, p += 2, q += 6) {
        const V u = p[0], v = p[1];
#define ROW(j) c[2 * j] += q[j] * u; c[2 * j + 1] += q[j] * v;
        ROW(0) ROW(1) ROW(2) ROW(3) ROW(4) ROW(5)
    }
#define X(j) y[j] += c[j];
    TWELVE(X)
#undef X
}

double leaf(char *room, int64_t steps, int64_t b)
{
    enum { CALLS = 256 };
    for (int i = 0; i < 4096; i++) ((float *)room)[i] = 1;
    BEGIN
    for (int i = 0; i < CALLS; i++) {
        leaf_of((V *)room + 12 * (i & 7), (const V *)room + 96, (const float *)((const V *)room + 96) + (i & 3), steps);
        __asm__ volatile("" : : : "memory");
    }
    END(CALLS)
}
