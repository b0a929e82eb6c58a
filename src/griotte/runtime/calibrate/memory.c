/* Where in the room the next pass begins: passes over more than `PART` bytes take turns at its parts. */
enum { PART = 4 << 20 };
static int64_t place(int64_t bytes)
{
    static int64_t turn;
    return bytes <= PART ? 0 : turn++ * PART % (bytes - PART + LINE) / 4096 * 4096;
}

/* Passes before those that count: a last cache takes what was met once only in part. */
enum { WARM = 3 };

#define PASSES(bytes) ((bytes) >= (1 << 20) ? 1 : (1 << 20) / (bytes))
#define OVER(bytes) ((bytes) < PART ? (bytes) : PART)

/* What is `ahead` bytes on is asked for where that is not 0, as programs do. */
#define ASK(x) if (ahead) __builtin_prefetch((const char *)(x) + ahead);

/* So many bytes by four rows of 8 KiB side by side, as sums and products read rows: a core fetches more of four than of
   one. The lines that were read. */
enum { ROW = 8192, SIDE_BY_SIDE = 4 };
static int64_t by_rows(const char *from, int64_t bytes, int64_t ahead, I *s)
{
    const int64_t block = SIDE_BY_SIDE * ROW, blocks = bytes / block;
    for (int64_t at = 0; at < blocks * block; at += block)
        for (int64_t i = at; i < at + ROW; i += LINE)
            for (int row = 0; row < SIDE_BY_SIDE; row++) {
                const I *x = (const I *)(from + i + row * ROW);
                ASK(x)
                for (int v = 0; v < PER_LINE; v++) s[row] ^= x[v];
            }
    return blocks * block / LINE;
}

double read(char *room, int64_t bytes, int64_t ahead)
{
    const char *from = room + place(bytes);
    const int64_t count = OVER(bytes), passes = PASSES(bytes);
    int64_t lines = 0;
    I s[SIDE_BY_SIDE] = {0};
    for (int n = 0; bytes <= PART && n < WARM; n++) by_rows(from, count, 0, s);
    BEGIN
    for (int64_t n = 0; n < passes; n++) lines += by_rows(from, count, ahead, s);
    END((double)lines + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* The same line after line, as a panel is read. */
double plain(char *room, int64_t bytes, int64_t ahead)
{
    const char *from = room + place(bytes);
    const int64_t lines = OVER(bytes) / LINE, passes = PASSES(bytes);
    I s[4] = {0};
    for (int64_t i = 0; bytes <= PART && i < WARM * lines; i++) s[0] ^= *(const I *)(from + LINE * (i % lines));
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t i = 0; i < lines; i += 4) {
            const I *x = (const I *)(from + LINE * i);
            for (int l = 0; l < 4; l++) ASK((const char *)x + LINE * l)
            for (int v = 0; v < 4 * PER_LINE; v++) s[v & 3] ^= x[v];
        }
    END(passes * lines + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* All of so many bytes, over and over. */
double curve(char *room, int64_t bytes, int64_t ahead)
{
    const int64_t passes = PASSES(bytes), warm = bytes > (64 << 20) ? 1 : WARM;
    int64_t lines = 0;
    I s[SIDE_BY_SIDE] = {0};
    for (int64_t n = 0; n < warm; n++) by_rows(room, bytes, 0, s);
    BEGIN
    for (int64_t n = 0; n < passes; n++) lines += by_rows(room, bytes, ahead, s);
    END((double)lines + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* A chain of loads over the lines of `bytes`, a power of two, in an order that no prefetcher follows (a linear congruence,
   Numerical Recipes ch. 7). */
double chase(char *room, int64_t bytes, int64_t b)
{
    enum { LOADS = 16384 };
    const int64_t lines = bytes / LINE;
    int64_t at = 0;
    for (int64_t i = 0; i < lines; i++) *(int64_t *)(room + LINE * i) = LINE * ((i * 1664525 + 1013904223) & (lines - 1));
    for (int64_t i = 0; i < lines && i < LOADS; i++) at = *(volatile int64_t *)(room + at);
    BEGIN
    for (int64_t i = 0; i < LOADS; i++) at = *(volatile int64_t *)(room + at);
    END(LOADS)
}

double copy(char *room, int64_t bytes, int64_t ahead)
{
    char *from = room + place(bytes);
    const int64_t lines = OVER(bytes) / (2 * LINE), passes = PASSES(bytes);
    V *to = (V *)(from + LINE * lines);
    for (int64_t i = 0; bytes <= PART && i < WARM * 2 * lines; i++) from[LINE * (i % (2 * lines))] = 1;
    BEGIN
    for (int64_t n = 0; n < passes; n++) {
        for (int64_t i = 0; i < lines / 4 * 4; i += 4) {
            const V *x = (const V *)(from + LINE * i);
            for (int l = 0; l < 4; l++) ASK((const char *)x + LINE * l)
            for (int v = 0; v < 4 * PER_LINE; v++) to[i * PER_LINE + v] = x[v];
        }
        __asm__ volatile("" : : : "memory");
    }
    END(passes * lines)
}

/* A line's worth of each row, rows `pitch` bytes apart and each beginning 16 bytes into a line, as rows of arrays do
   that a library has allocated; then the next line's worth, whose first line is the last of this one. Of what is more
   than `PART` bytes one of each row alone, others at each pass: by the next time caches have lost the rest of what came
   with them. Cycles of a stretch. */
double strips(char *room, int64_t bytes, int64_t pitch)
{
    typedef int32_t U __attribute__((vector_size(BYTES), aligned(4), may_alias));
    static int64_t turn;
    const int64_t far = bytes > PART, rows = bytes / pitch - 1, parts = pitch / LINE, passes = PASSES(bytes),
        first = far ? turn++ % parts : 0, last = far ? first : bytes < (1 << 20) ? parts - 1 : 15;
    I s[4] = {0};
    for (int64_t i = 0; !far && i < WARM * (bytes / LINE); i++) s[0] ^= *(const I *)(room + LINE * (i % (bytes / LINE)));
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t part = first; part <= last; part++)
            for (int64_t row = 0; row < rows; row++) {
                const U *x = (const U *)(room + 16 + row * pitch + part * LINE);
                for (int v = 0; v < PER_LINE; v++) s[v & 3] ^= (I)x[v];
            }
    END(passes * rows * (last - first + 1) + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* The same of so many rows, a page and more apart, that are read to their ends before the next ones begin. Cycles of a
   line. */
double crowd(char *room, int64_t bytes, int64_t rows)
{
    typedef int32_t U __attribute__((vector_size(BYTES), aligned(4), may_alias));
    const char *from = room + place(bytes);
    const int64_t pitch = ROW + LINE, blocks = OVER(bytes) / (rows * pitch), passes = PASSES(bytes),
        warm = bytes <= PART ? WARM * (bytes / LINE) : 0;
    I s[4] = {0};
    for (int64_t i = 0; i < warm; i++) s[0] ^= *(const I *)(from + LINE * (i % (bytes / LINE)));
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t block = 0; block < blocks; block++)
            for (int64_t at = 16; at < ROW; at += LINE)
                for (int64_t row = 0; row < rows; row++) {
                    const U *x = (const U *)(from + (block * rows + row) * pitch + at);
                    for (int v = 0; v < PER_LINE; v++) s[v & 3] ^= (I)x[v];
                }
    END(passes * blocks * rows * (ROW / LINE) + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* Rows of so many bytes, one right behind the other, twelve side by side, each beginning 16 bytes into a line. Cycles of
   a row. */
double abreast(char *room, int64_t bytes, int64_t length)
{
    typedef int32_t U __attribute__((vector_size(BYTES), aligned(4), may_alias));
    enum { SIDE = 12 };
    const char *from = room + place(bytes) + 16;
    const int64_t blocks = (OVER(bytes) - LINE) / (SIDE * length), passes = PASSES(bytes),
        warm = bytes <= PART ? WARM * (bytes / LINE) : 0;
    I s[4] = {0};
    for (int64_t i = 0; i < warm; i++) s[0] ^= *(const I *)(room + LINE * (i % (bytes / LINE)));
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t block = 0; block < blocks; block++)
            for (int64_t at = 0; at < length; at += LINE)
                for (int64_t row = 0; row < SIDE; row++) {
                    const U *x = (const U *)(from + (block * SIDE + row) * length + at);
                    for (int v = 0; v < PER_LINE; v++) s[v & 3] ^= (I)x[v];
                }
    END(passes * blocks * SIDE + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* Parts of so many bytes of rows of 8 KiB, four rows side by side, row after row, then the next parts. Cycles of a
   line. */
double parts(char *room, int64_t bytes, int64_t part)
{
    const int64_t blocks = bytes / (4 * ROW);
    I s[4] = {0};
    for (int64_t i = 0; i < WARM * (bytes / LINE); i++) s[0] ^= *(const I *)(room + LINE * (i % (bytes / LINE)));
    BEGIN
    for (int64_t at = 0; at < ROW; at += part)
        for (int64_t block = 0; block < blocks; block++)
            for (int64_t i = at; i < at + part; i += LINE)
                for (int64_t row = 0; row < 4; row++) {
                    const I *x = (const I *)(room + (4 * block + row) * ROW + i);
                    for (int v = 0; v < PER_LINE; v++) s[row] ^= x[v];
                }
    END(blocks * 4 * (ROW / LINE) + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* A chain of loads, one from each of `count` pages, in an order that steps over seven: each load says where the next
   is. */
double pages(char *room, int64_t count, int64_t b)
{
    enum { LOADS = 4096 };
    for (int64_t i = 0, at = 0; i < count; i++) {
        const int64_t next = (at + 7) % count;
        *(int64_t *)(room + at * SYSTEM_PAGE + at % 64 * 64) = next * SYSTEM_PAGE + next % 64 * 64;
        at = next;
    }
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) at = *(volatile int64_t *)(room + at);
    BEGIN
    for (int64_t i = 0; i < LOADS; i++) at = *(volatile int64_t *)(room + at);
    END(LOADS)
}

/* A leaf of six rows by two vectors that reads parts of rows `pitch` bytes apart, the first of which begins 16 bytes
   into a line, row after row, then the next parts; for 0 one after the other, as a panel has them. Cycles of a step. */
double strided(char *room, int64_t bytes, int64_t pitch)
{
    typedef float U __attribute__((vector_size(BYTES), aligned(4), may_alias));
    enum { STEPS = 384, WIDE = 2 * BYTES };
    static float elements[6 * STEPS];
    const int64_t apart = pitch ? pitch : WIDE, rows = bytes / apart < STEPS ? bytes / apart : STEPS,
        blocks = bytes / apart / rows, passes = (1 << 20) / bytes + 1;
    V c[12] = {0};
    int64_t steps = 0;
    for (int j = 0; j < 6 * STEPS; j++) elements[j] = half;
    for (int64_t i = 0; i < bytes / BYTES; i++) c[0] += ((const V *)room)[i];
#define X(j) KEEP(c[j])
    TWELVE(X)
#undef X
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t block = 0; block < blocks; block++)
            for (int64_t part = 0; part + WIDE <= apart; part += WIDE, steps += rows) {
                const char *from = room + (pitch ? 16 : 0) + block * rows * apart + part;
                const float *q = elements;
                __asm__ volatile("" : "+r"(q) : : "memory");
#pragma GCC unroll 4
                for (int64_t k = 0; k < rows; k++, from += apart) {
                    V u = ((const U *)from)[0], v = ((const U *)from)[1];
                    KEEP(u) KEEP(v)
#define X(j) c[2 * j] += q[j * STEPS + k] * u; c[2 * j + 1] += q[j * STEPS + k] * v;
                    X(0) X(1) X(2) X(3) X(4) X(5)
#undef X
                }
            }
    END((double)steps + 0 * (sink = c[0] + c[1] + c[2] + c[3] + c[4] + c[5] + c[6] + c[7] + c[8] + c[9] + c[10] + c[11],
        1))
}
