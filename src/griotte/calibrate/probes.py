"""The probes of a machine's parameters: short C functions, each of which does one thing over and over, and which of them are run on how much.

`source(target)` is the C, in vectors of the target's width and for its compiler flags; no instruction is named. Each function gives the cycles of one unit of its work, by a
chain of dependent additions that is timed right before and after it: one addition takes one cycle on every core that griotte knows. It gives no number (NaN) where the two differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..spec.family import LINE
from ..targets.machine import FAR
from ..targets.target import Level, Target

BESIDE = (1, 2, 3, 4, 6, 8, 12)
"""Rows of the leaves that are timed beside what they read: multiply-adds for each vector of a panel."""

ACCUMULATORS, WIDEST = 8, 4
"""Of such a leaf, at least, where that takes no more than so many vectors side by side: then no sum waits for itself."""

MOST, LEAST_FAR = 256 << 20, 48 << 20
"""Bytes of what is read from memory: more than the caches hold, within these bounds."""

PAGES, FEW = 256, 32
"""Pages of which one line each is read: more than any first-level TLB translates, fewer than any second; and few enough for the first."""

WITHIN, BEYOND = 0.5, 2.0
"""Of a cache's capacity: what should rest in it, and what should not."""

STEPS = (4, 36)
"""Steps of the leaf whose entry is timed, with few and with more."""

ROWS = (2, 3, 4, 5, 6)
"""Rows of the leaves of two vectors whose steps are timed: with few of them accumulators wait for each other, with many ports are busy."""

LONG = (16, 80)
"""Steps of those leaves, with few and with more."""


@dataclass(frozen=True)
class Probe:
    """A measurement: a function of `source`, its two arguments, and how many threads it takes."""

    name: str
    function: str
    first: int = 0
    second: int = 0
    threads: int = 1


def probes(target: Target, threads: int = 1) -> tuple[Probe, ...]:
    """What is measured of a machine, in turns."""
    sets = working_sets(target)
    found = [Probe(name, name) for name in ("multiply_add", "chain", "mixed", "load", "broadcast", "store", "shuffle", "issue")]
    found += [Probe(f"{name}.{level}", name, size) for level, size in sets.items() if level != "L1" for name in ("read", "copy", "stretches")]
    found += [Probe(f"beside.{level}.{count}", f"beside{count}", size, _asked(target, level)) for level, size in sets.items() for count in BESIDE]
    found += [Probe(f"rows.{rows}.{steps}", f"rows{rows}", steps) for rows in ROWS for steps in LONG]
    found += [Probe("pages", "pages", PAGES), Probe("pages.few", "pages", FEW), *(Probe(f"leaf.{steps}", "leaf", steps) for steps in STEPS)]
    found += [Probe(name, name, threads=2) for name in ("fork", "transfer", "own")] if threads > 1 else []
    return tuple(found)


def _asked(target: Target, level: str) -> int:
    """Bytes on that programs ask for in a panel from a level."""
    return 0 if level == "L1" else target.prefetch.near_panel if level == "L2" else target.prefetch.panel


def capacity_probes(target: Target) -> tuple[Probe, ...]:
    """Loads that wait for each other, from what should rest in each cache and from what should not; in powers of two."""
    caches = [level for level in target.levels[1:-1] if level.name in ("L1", *FAR)]
    return tuple(Probe(f"{level.name}.{share}", "chase", 1 << (min(room(target), int(share * level.capacity)) // LINE).bit_length() - 1) for level in caches for share in (WITHIN, BEYOND))


def shared(target: Target) -> tuple[Level, list[int]] | None:
    """The last cache, where no program plans with it for others use it too, and the powers of two of bytes that it may hold of a thread's; None where there is no such cache."""
    inner, last = ([None, *target.levels[1:-1]])[-2:]
    if inner is None or last.share > 0 or last.name not in FAR:
        return None
    return last, [1 << i for i in range((2 * inner.capacity - 1).bit_length(), (min(room(target), last.capacity)).bit_length())]


def working_sets(target: Target) -> dict[str, int]:
    """Bytes that rest at each level: well below its capacity and well above that of the level before."""
    levels = target.levels[1:-1]
    sets = {levels[0].name: levels[0].capacity // 2}
    sets |= {slow.name: int((fast.capacity * slow.capacity) ** 0.5) // 4096 * 4096 for fast, slow in pairwise(levels)}
    known = {level: size for level, size in sets.items() if level in ("L1", *FAR)}
    return known | {"memory": min(MOST, max(LEAST_FAR, 3 * (target.largest_cache or levels[-1].capacity)))}


def room(target: Target) -> int:
    """Bytes that the probes run on."""
    return max(working_sets(target).values()) + 4096


def source(target: Target, threads: int = 1) -> str:
    """The C of all probes; those that take two threads where they are asked for."""
    lanes = target.vector_bytes // 4
    settings = f"#define BYTES {target.vector_bytes}\n#define PER_LINE {max(1, LINE // target.vector_bytes)}\n"
    return settings + CLOCK + _CORE + _shuffle(lanes) + _MEMORY + "".join(_beside(count) for count in BESIDE) + "".join(_rows(rows) for rows in ROWS) + (_TEAM if threads > 1 else "")


def header(threads: int = 1) -> str:
    """The declarations of the functions, for cffi."""
    names = ["multiply_add", "chain", "mixed", "load", "broadcast", "store", "shuffle", "issue", "read", "copy", "stretches", "pages", "leaf", "chase", *(f"beside{count}" for count in BESIDE), *(f"rows{rows}" for rows in ROWS)]
    names += ["fork", "transfer", "own"] if threads > 1 else []
    return "\n".join(f"double {name}(char *, int64_t, int64_t);" for name in ("warmth", *names))


CLOCK = r"""
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of an addition that waits for the one before: a cycle. */
static double cycle(void)
{
    const double start = now();
    int64_t x = 1;
    for (int64_t i = 0; i < 32000; i += 16) {
#define ADD x += i; __asm__ volatile("" : "+r"(x));  /* no immediates: some cores add those while they rename */
        ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
    }
    return (now() - start) / 32000;
}

/* The clock's cycle before and after; no number where they differ, for then something else ran on this core. */
static double agreed(double before, double after)
{
    const double less = before < after ? before : after;
    return before + after > 2.04 * less ? NAN : less;
}

#define BEGIN const double before = cycle(), start = now();
#define END(units) const double taken = now() - start; return taken / (double)(units) / agreed(before, cycle());
"""
"""C that times what stands between BEGIN and END, in cycles."""

_CORE = r"""
typedef float V __attribute__((vector_size(BYTES), aligned(BYTES), may_alias));
typedef int32_t I __attribute__((vector_size(BYTES), aligned(BYTES), may_alias));

V sink;
I sink_bits;
volatile float half = 0.5f;

#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define EIGHT(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define SEVEN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6)
#if defined(__x86_64__)
#define KEEP(v) __asm__ volatile("" : "+x"(v));  /* a register, whose value nothing is known of: no two are found equal and made one */
#else
#define KEEP(v) __asm__ volatile("" : "+w"(v));
#endif
#define K(j) KEEP(c[j])

/* The cores' clock, and a look at all of the room: what was never touched is one page of zeros. */
double warmth(char *room, int64_t bytes, int64_t unused)
{
    for (int64_t i = 0; i < bytes; i += 64) *(float *)(room + i) = 1;  /* no tiny numbers, which some cores are slow with */
    return cycle() * 1e9;
}

enum { TURNS = 3000 };

double multiply_add(char *room, int64_t a, int64_t b)
{
    const V x = (V){0} + half;
    V c[12] = {0};
    TWELVE(K)
    BEGIN
    for (int i = 0; i < TURNS; i++) {
#define X(j) c[j] = c[j] * x + x;
        TWELVE(X)
#undef X
    }
    END(12 * TURNS + 0 * (sink = c[0] + c[1] + c[2] + c[3] + c[4] + c[5] + c[6] + c[7] + c[8] + c[9] + c[10] + c[11], 1))
}

double chain(char *room, int64_t a, int64_t b)
{
    const V x = (V){0} + half;
    V c = {0};
    BEGIN
    for (int i = 0; i < TURNS; i++) c = c * x + x;
    END(TURNS + 0 * (sink = c, 1))
}

double mixed(char *room, int64_t a, int64_t b)
{
    const V x = (V){0} + half;
    V c[7] = {0}, s[7] = {0};
#define X(j) KEEP(c[j]) KEEP(s[j])
    SEVEN(X)
#undef X
    BEGIN
    for (int i = 0; i < TURNS; i++) {
#define X(j) c[j] = c[j] * x + x; s[j] += x;
        SEVEN(X)
#undef X
    }
    END(14 * TURNS + 0 * (sink = c[0] + c[1] + c[2] + c[3] + c[4] + c[5] + c[6] + s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6], 1))
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
#define X(j) v = q[j]; KEEP(v) c[j] = c[j] * x + v; n[j & 3] += i; __asm__ volatile("" : "+r"(n[j & 3]));
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
"""

_MEMORY = r"""
/* Where in the room the next pass begins: passes over more than `PART` bytes take turns at its parts. */
enum { PART = 4 << 20 };
static int64_t place(int64_t bytes)
{
    static int64_t turn;
    return bytes <= PART ? 0 : turn++ * PART % (bytes - PART + 64) / 4096 * 4096;
}

#define PASSES(bytes) ((bytes) >= (1 << 20) ? 1 : (1 << 20) / (bytes))
#define OVER(bytes) ((bytes) < PART ? (bytes) : PART)

double read(char *room, int64_t bytes, int64_t b)
{
    const char *from = room + place(bytes);
    const int64_t lines = OVER(bytes) / 64, passes = PASSES(bytes);
    I s[4] = {0};
    for (int64_t i = 0; bytes <= PART && i < lines; i++) s[0] ^= *(const I *)(from + 64 * i);
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t i = 0; i < lines; i += 4) {
            const I *x = (const I *)(from + 64 * i);
            for (int v = 0; v < 4 * PER_LINE; v++) s[v & 3] ^= x[v];
        }
    END(passes * lines + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* A chain of loads over `lines` lines, a power of two, in an order that no prefetcher follows (a linear congruence, Numerical Recipes ch. 7). */
double chase(char *room, int64_t lines, int64_t b)
{
    enum { LOADS = 16384 };
    int64_t at = 0;
    for (int64_t i = 0; i < lines; i++) *(int64_t *)(room + 64 * i) = 64 * ((i * 1664525 + 1013904223) & (lines - 1));
    for (int64_t i = 0; i < lines && i < LOADS; i++) at = *(volatile int64_t *)(room + at);
    BEGIN
    for (int64_t i = 0; i < LOADS; i++) at = *(volatile int64_t *)(room + at);
    END(LOADS)
}

double copy(char *room, int64_t bytes, int64_t b)
{
    char *from = room + place(bytes);
    const int64_t lines = OVER(bytes) / 128, passes = PASSES(bytes);
    V *to = (V *)(from + 64 * lines);
    for (int64_t i = 0; bytes <= PART && i < 2 * lines; i++) from[64 * i] = 1;
    BEGIN
    for (int64_t n = 0; n < passes; n++) {
        for (int64_t i = 0; i < lines * PER_LINE; i++) to[i] = ((const V *)from)[i];
        __asm__ volatile("" : : : "memory");
    }
    END(passes * lines)
}

/* 256 bytes of each row, rows a page apart; then the next 256. Of what is more than `PART` bytes 256 of each row alone, others at each pass: by the next time caches have lost the rest
   of what came with them. Cycles of a stretch. */
double stretches(char *room, int64_t bytes, int64_t b)
{
    static int64_t turn;
    const int64_t far = bytes > PART, rows = bytes / 4096, passes = PASSES(bytes), first = far ? turn++ % 16 : 0, last = far ? first : 15;
    I s[4] = {0};
    for (int64_t i = 0; !far && i < rows * 64; i++) s[0] ^= *(const I *)(room + 64 * i);
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t part = first; part <= last; part++)
            for (int64_t row = 0; row < rows; row++) {
                const I *x = (const I *)(room + row * 4096 + part * 256);
                for (int v = 0; v < 4 * PER_LINE; v++) s[v & 3] ^= x[v];
            }
    END(passes * rows * (last - first + 1) + 0 * (sink_bits = s[0] ^ s[1] ^ s[2] ^ s[3], 1))
}

/* A chain of loads, one from each of `count` pages, in an order that steps over seven: each load says where the next is. */
double pages(char *room, int64_t count, int64_t b)
{
    enum { LOADS = 4096 };
    for (int64_t i = 0, at = 0; i < count; i++) {
        const int64_t next = (at + 7) % count;
        *(int64_t *)(room + at * 4096 + at % 64 * 64) = next * 4096 + next % 64 * 64;
        at = next;
    }
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) at = *(volatile int64_t *)(room + at);
    BEGIN
    for (int64_t i = 0; i < LOADS; i++) at = *(volatile int64_t *)(room + at);
    END(LOADS)
}
"""


def _shuffle(lanes: int) -> str:
    """C that makes vectors of two as blocks of so many rows are turned in registers (codegen.transpose): in rounds, of elements 1, 2, 4 .. apart; the two of a pair in turns."""
    distances = [1 << i for i in range(lanes.bit_length() - 1)] or [1]
    low = [", ".join(str(j if j & d == 0 else lanes + j - d) for j in range(lanes)) for d in distances]
    high = [", ".join(str((j + d) % lanes if j & d == 0 else lanes + j) for j in range(lanes)) for d in distances]
    rounds = "\n".join(f"        c[{j}] = __builtin_shufflevector(c[{j}], x, {(low, high)[j % 2][i]}); KEEP(c[{j}])" for i in range(len(distances)) for j in range(8))
    return f"""
double shuffle(char *room, int64_t a, int64_t b)
{{
    const V x = (V){{0}} + half;
    V c[8] = {{0}};
    BEGIN
    for (int i = 0; i < TURNS; i++) {{
{rounds}
    }}
    END({8 * len(distances)} * TURNS + 0 * (sink = c[0] + c[1] + c[2] + c[3] + c[4] + c[5] + c[6] + c[7], 1))
}}
"""


def _beside(rows: int) -> str:
    """C that takes so many rows times the vectors of a panel, as a leaf does: each vector is read once, an element of each row is spread, and what is `ahead` bytes on is asked for where
    that is not 0. Rows are in L1."""
    wide = min(WIDEST, -(-ACCUMULATORS // rows))
    loads = " ".join(f"V v{v} = p[{v}]; KEEP(v{v})" for v in range(wide))
    each = "\n".join(f"                {' '.join(f'c[{row * wide + v}] += q[{row} * STEPS + k] * v{v};' for v in range(wide))}" for row in range(rows))
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


def _rows(rows: int) -> str:
    """C that calls a leaf of two vectors by so many rows, whose inputs are in L1: its loads, and its elements that are spread, come between its multiply-adds. It goes on from the
    sums of the call before, so that no two calls overlap. Cycles of a call."""
    each = " ".join(f"c[{2 * row}] += q[{row} * steps + n] * u; c[{2 * row + 1}] += q[{row} * steps + n] * v;" for row in range(rows))
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
#define CALL rows_of_{rows}((V *)room, (const V *)room + SUMS, (const float *)((const V *)room + SUMS + 2 * steps), steps); __asm__ volatile("" : : : "memory");
    for (int i = 0; i < CALLS; i++) {{ CALL }}  /* its branches are learnt */
    BEGIN
    for (int i = 0; i < CALLS; i++) {{ CALL }}
    END(CALLS)
#undef CALL
}}
"""


_TEAM = r"""
#include <omp.h>

/* The least of some calls, for a few milliseconds: a thread whose core others use as well is late by far more than it takes. */
double fork(char *room, int64_t a, int64_t b)
{
    const double one = cycle(), start = now();
    double least = 1, from = start;
    while (from < start + 0.002) {
#pragma omp parallel num_threads(2)
        { __asm__ volatile("" : : : "memory"); }
        const double to = now();
        least = to - from < least ? to - from : least;
        from = to;
    }
    return least / one;
}

/* The first thread writes 16 KiB that the second has read since it wrote them, or that nobody has. Cycles of a line. */
static double handed(char *room, int reads)
{
    enum { LINES = 256, TURNS_OF = 8 };
    double cycles = 0;
#pragma omp parallel num_threads(2)
    {
        float sum = 0;
        for (int n = 0; n < TURNS_OF; n++) {
            if (omp_get_thread_num() == 0) {
                const double before = cycle(), start = now();
                for (int i = 0; i < LINES; i++) ((volatile float *)room)[16 * i] = (float)n;
                __atomic_thread_fence(__ATOMIC_SEQ_CST);
                const double taken = now() - start, after = cycle();
                cycles += n == 0 ? 0 : taken / LINES / agreed(before, after);
            }
#pragma omp barrier
            if (omp_get_thread_num() == 1 && reads)
                for (int i = 0; i < LINES; i++) sum += ((volatile float *)room)[16 * i];
#pragma omp barrier
        }
        if (sum == 1e30f) sink += sum;
    }
    return cycles / (TURNS_OF - 1);
}

double transfer(char *room, int64_t a, int64_t b) { return handed(room, 1); }
double own(char *room, int64_t a, int64_t b) { return handed(room, 0); }
"""
