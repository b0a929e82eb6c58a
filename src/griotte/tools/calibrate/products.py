"""C of the probes that are leaves of a product: their multiply-adds beside what they read, and beside the wait for
their sums."""

from __future__ import annotations

from .probes import ROWS

ACCUMULATORS, WIDEST = 8, 4
"""Of such a leaf, at least, where that takes no more than so many vectors side by side: then no sum waits for
itself."""


def beside(rows: int) -> str:
    """C that takes so many rows times the vectors of a panel, as a leaf does: each vector is read once, an element of
    each row is spread, and what is `ahead` bytes on is asked for where that is not 0. Rows are in L1."""
    wide = min(WIDEST, -(-ACCUMULATORS // rows))
    loads = " ".join(f"V v{v} = p[{v}]; KEEP(v{v})" for v in range(wide))
    each = "\n".join(
        f"                {' '.join(f'c[{row * wide + v}] += q[{row} * STEPS + k] * v{v};' for v in range(wide))}"
        for row in range(rows)
    )
    total = " + ".join(f"c[{j}]" for j in range(rows * wide))
    return f"""
double beside{rows}(char *room, int64_t bytes, int64_t ahead)
{{
    enum {{ STEPS = 32, BLOCK = STEPS * {wide} * BYTES }};
    static float elements[{rows} * STEPS];
    const char *from = room + place(bytes);
    const int64_t blocks = OVER(bytes) / BLOCK, passes = PASSES(bytes);
    V c[{rows * wide}] = {{0}};
    for (int j = 0; j < {rows} * STEPS; j++) elements[j] = half;
    for (int64_t i = 0; bytes <= PART && i < blocks * BLOCK / BYTES; i++) c[0] += ((const V *)from)[i];
    for (int j = 0; j < {rows * wide}; j++) KEEP(c[j])
    BEGIN
    for (int64_t n = 0; n < passes; n++) {{
        const V *p = (const V *)from;
        for (int64_t block = 0; block < blocks; block++) {{
            const float *q = elements;
            __asm__ volatile("" : "+r"(q) : : "memory");
#pragma GCC unroll 4
            for (int k = 0; k < STEPS; k++, p += {wide}) {{
                {loads}
                if (ahead) for (int l = 0; l < {wide}; l += PER_LINE) __builtin_prefetch((const char *)(p + l) + ahead);
{each}
            }}
        }}
    }}
    END((double)passes * (double)blocks * BLOCK / 64 + 0 * (sink = {total}, 1))
}}
"""


STRIDED = """
/* A leaf of six rows by two vectors that reads parts of rows `pitch` bytes apart, row after row, then the next parts;
   for 0 one after the other, as a panel has them. Cycles of a step. */
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
                const char *from = room + block * rows * apart + part;
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
"""


def rows_by(rows: int) -> str:
    """C that calls a leaf of two vectors by so many rows, whose inputs are in L1: its loads, and its elements that are
    spread, come between its multiply-adds. It goes on from the sums of the call before, so that no two calls overlap.
    Cycles of a call."""
    each = " ".join(
        f"c[{2 * row}] += q[{row} * steps + n] * u; c[{2 * row + 1}] += q[{row} * steps + n] * v;"
        for row in range(rows)
    )
    return f"""
static __attribute__((noinline)) void rows_of_{rows}(V *y, const V *p, const float *q, int64_t steps)
{{
    V c[{2 * rows}];
    for (int j = 0; j < {2 * rows}; j++) c[j] = y[j];
#pragma GCC unroll 8
    for (int64_t n = 0; n < steps; n++) {{
        V u = p[2 * n], v = p[2 * n + 1];
        KEEP(u) KEEP(v)
        {each}
    }}
    for (int j = 0; j < {2 * rows}; j++) y[j] = c[j];
}}

double rows{rows}(char *room, int64_t steps, int64_t b)
{{
    enum {{ CALLS = 256, SUMS = {2 * max(ROWS)} }};
    for (int i = 0; i < 4096; i++) ((float *)room)[i] = 1;
#define CALL \\
    rows_of_{rows}((V *)room, (const V *)room + SUMS, (const float *)((const V *)room + SUMS + 2 * steps), steps); \\
    __asm__ volatile("" : : : "memory");
    for (int i = 0; i < CALLS; i++) {{ CALL }}  /* its branches are learnt */
    BEGIN
    for (int i = 0; i < CALLS; i++) {{ CALL }}
    END(CALLS)
#undef CALL
}}
"""
