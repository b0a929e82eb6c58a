"""The C of all probes: short functions, each doing one thing over and over.

It is in vectors of the target's width and for its compiler flags; no instruction is named, and an architecture only
says which register a vector is in. Each function gives the cycles of one unit of its work. Its clock is a chain of
dependent additions that is timed right before and after it: one addition takes one cycle on every core that griotte
knows. It gives no number (NaN) where the two differ.
"""

from __future__ import annotations

import mmap
from pathlib import Path

from ...codegen.teams import DECLARED
from ...engine.leaves.copies import LEAST_BYTES
from ...engine.leaves.transpose import rows_at_once
from ...engine.vectors.squares import turned_in_parts
from ...machine.architecture import Guarded, chosen
from ...machine.architectures import ARCHITECTURES
from ...machine.target import Target
from .probes import BESIDE, PANELS, ROWS

ACCUMULATORS, WIDEST = 8, 4
"""Sums of a leaf of `beside`, at least, where that takes no more than so many vectors side by side: then no sum waits
for itself."""

MANY = 32
"""Registers, from which on twice as many sums are held at once: four ports whose multiply-adds take four cycles are
busy with sixteen."""

_KEPT = '#define KEEP(v) __asm__ volatile("" : "+{}"(v));'

FUNCTIONS = (
    *("warmth", "multiply_add", "chain", "mixed", "load", "broadcast", "store", "shuffle", "issue"),
    *(
        "read",
        "plain",
        "copy",
        "curve",
        "strips",
        "crowd",
        "abreast",
        "parts",
        "strided",
        "pages",
        "leaf",
        "chase",
        "turned",
    ),
)
"""Functions for all machines, on one thread."""


def text(name: str) -> str:
    """The C of a file beside this one."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def source(target: Target, threads: int = 1) -> str:
    """The C of all probes; those that take two threads where they are asked for."""
    parts = [
        text("now.c"),
        text("clock.c"),
        numbers(target),
        KEEP,
        text("core.c"),
        shuffle(target.vector_bytes // 4),
        text("memory.c"),
        turned(target),
        *map(beside, BESIDE),
        *(panel(rows, wide) for rows, wide in PANELS),
        *map(rows_by, ROWS),
        *([DECLARED, text("team.c")] if threads > 1 else []),
    ]
    return "\n".join(parts)


KEEP = f"""/* KEEP: a register, whose value nothing is known of: no two are found equal and made one. */
{
    chosen(
        (Guarded(each.compiled.condition, _KEPT.format(each.compiled.vector)) for each in ARCHITECTURES),
        _KEPT.format("m"),
    )
}"""


def numbers(target: Target) -> str:
    """C with the numbers that the probes take from the target and from the system here: the bytes of a vector, of a
    line and of a page. Also as many sums as no core is short of, with as many registers left."""
    several = 1 + (target.registers >= MANY)
    found = {
        "BYTES": target.vector_bytes,
        "LINE": target.spans.line,
        "PER_LINE": max(1, target.spans.line // target.vector_bytes),
        "SYSTEM_PAGE": mmap.PAGESIZE,
        "AT_ONCE": 12 * several,
        "PAIRS_AT_ONCE": 7 * several,
    }
    lists = {"EACH_SUM": found["AT_ONCE"], "EACH_PAIR": found["PAIRS_AT_ONCE"]}
    return "".join(
        [f"#define {name} {number}\n" for name, number in found.items()]
        + [f"#define {name}(X) {' '.join(f'X({j})' for j in range(count))}\n" for name, count in lists.items()]
    )


def header(threads: int = 1) -> str:
    """The declarations of the functions, for cffi."""
    of_rows = [*(f"beside{count}" for count in BESIDE), *(f"rows{rows}" for rows in ROWS)]
    of_rows += [f"panel{rows}x{wide}" for rows, wide in PANELS]
    of_two = ["fork_join", "transfer", "own", "both", "both_copy"] if threads > 1 else []
    return "\n".join(f"double {name}(char *, int64_t, int64_t);" for name in (*FUNCTIONS, *of_rows, *of_two))


def shuffle(lanes: int) -> str:
    """C that makes vectors of two as blocks of so many rows are turned in registers (vectors.squares): in rounds, of
    elements 1, 2, 4 .. apart; the two of a pair in turns."""
    distances = [1 << i for i in range(lanes.bit_length() - 1)] or [1]
    low = [", ".join(str(j if j & d == 0 else lanes + j - d) for j in range(lanes)) for d in distances]
    high = [", ".join(str((j + d) % lanes if j & d == 0 else lanes + j) for j in range(lanes)) for d in distances]
    rounds = "\n".join(
        f"        c[{j}] = __builtin_shufflevector(c[{j}], x, {(low, high)[j % 2][i]}); KEEP(c[{j}])"
        for i in range(len(distances))
        for j in range(8)
    )
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


TALL = 1 << 20  # rows, more than are taken at once


def turned(target: Target) -> str:
    """C of a transpose as the leaf has it (engine.leaves.transpose): parts of the rows, in each down strips of columns,
    vectors that are joined of parts of rows and turned within them. Rows of both arrays begin within lines. Of more
    than `PART` bytes a pass takes some strips of one part, right after one that is not timed: caches then hold what
    came with that. Cycles of a line that is read and written."""
    lanes, strip = target.vector_bytes // 4, target.writing.strip
    at_once = rows_at_once(TALL, lanes, strip, 4, target)
    side = LEAST_BYTES // 4
    parts = [[f"q{row}" for row in range(n, lanes, side)] for n in range(side)]
    loads = " ".join(f"const Q q{row} = *(const Q *)(s + {row} * pitch);" for row in range(lanes))
    while len(parts[0]) > 1:
        width = 2 * lanes // len(parts[0])
        order = ", ".join(map(str, range(width)))
        parts = [
            [f"__builtin_shufflevector({low}, {high}, {order})" for low, high in zip(row[::2], row[1::2])]
            for row in parts
        ]
    joined = " ".join(f"const V r{n} = (V){part};" for n, (part,) in enumerate(parts))
    shuffles, names = turned_in_parts([f"r{n}" for n in range(side)], "V", lanes, side)
    asked = f"{4 * lanes} - 1 + ({4 * lanes} > LINE ? {4 * lanes} : LINE)"
    stores = " ".join(
        f"__builtin_prefetch((const char *)(t + {c} * pitch) + {asked}, 1); *(U *)(t + {c} * pitch) = {name};"
        for c, name in enumerate(names)
    )
    return f"""
enum {{ TURNED_ROWS = {lanes}, STRIP = {strip}, ROWS_AT_ONCE = {at_once} }};
static __attribute__((noinline)) int64_t turned_strip(
    const float *source, float *result, int64_t pitch, int64_t from, int64_t k)
{{
    typedef float Q __attribute__((vector_size({LEAST_BYTES}), aligned(4), may_alias));
    typedef float U __attribute__((vector_size(BYTES), aligned(4), may_alias));
    const int64_t rows = (pitch - from < ROWS_AT_ONCE ? pitch - from : ROWS_AT_ONCE) / TURNED_ROWS * TURNED_ROWS;
    for (int64_t i = from; i < from + rows; i += TURNED_ROWS)
        for (int64_t j = k; j < pitch && j < k + STRIP; j += {side}) {{
            const float *s = source + i * pitch + j;
            float *t = result + j * pitch + i;
            {loads}
            {joined}
            {" ".join(shuffles)}
            {stores}
        }}
    return rows * (pitch - k < STRIP ? pitch - k : STRIP);
}}

double turned(char *room, int64_t bytes, int64_t unused)
{{
    enum {{ ALIGNED = 4096 }};
    static int64_t turn;
    const int64_t far = bytes > PART, passes = PASSES(bytes);
    int64_t pitch = {side}, elements = 0, from = 0, first = 0;
    while (9 * (pitch + 16) * (pitch + 16) < bytes) pitch += 16; /* two arrays of floats, and an eighth more */
    const int64_t strips = pitch / STRIP, several = pitch / ROWS_AT_ONCE > 1 ? pitch / ROWS_AT_ONCE : 1;
    if (far) {{
        from = turn % several * ROWS_AT_ONCE;
        first = (1 + turn++ * several % (strips > several ? strips - several : 1)) * STRIP;
    }}
    const int64_t end = far && first + several * STRIP < pitch ? first + several * STRIP : pitch;
    float *const source = (float *)(room + 16);
    float *const result = (float *)(room + (4 * pitch * pitch + 16 + ALIGNED - 1) / ALIGNED * ALIGNED + ALIGNED / 2);
    for (int64_t i = 0; !far && i < WARM * (bytes / LINE); i++) room[LINE * (i % (bytes / LINE))] = 0;
    if (far) turned_strip(source, result, pitch, from, first - STRIP);
    BEGIN
    for (int64_t n = 0; n < passes; n++)
        for (int64_t part = from; part < (far ? from + 1 : pitch); part += ROWS_AT_ONCE)
            for (int64_t k = first; k < end; k += STRIP) elements += turned_strip(source, result, pitch, part, k);
    END((double)elements * 4 / LINE)
}}
"""


def beside(rows: int) -> str:
    """C that takes so many rows times the vectors of a panel, as a leaf does. Each vector is read once, and an element
    of each row is spread. The line `ahead` bytes on is asked for where that is not 0. Rows are in L1."""
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
    END((double)passes * (double)blocks * BLOCK / LINE + 0 * (sink = {total}, 1))
}}
"""


def panel(rows: int, wide: int) -> str:
    """C of a leaf of so many rows by so many vectors that walks down panels of up to 384 steps, one after the other.
    Cycles of a line."""
    sums = range(rows * wide)
    loads = " ".join(f"V v{v} = p[{v}]; KEEP(v{v})" for v in range(wide))
    each = " ".join(f"c[{j}] += q[{j // wide} * STEPS + k] * v{j % wide};" for j in sums)
    return f"""
double panel{rows}x{wide}(char *room, int64_t bytes, int64_t unused)
{{
    enum {{ STEPS = 384, WIDE = {wide} * BYTES }};
    static float elements[{rows} * STEPS];
    const int64_t steps = bytes / WIDE < STEPS ? bytes / WIDE : STEPS, blocks = bytes / WIDE / steps,
        passes = (1 << 20) / bytes + 1;
    V c[{len(sums)}] = {{0}};
    for (int j = 0; j < {rows} * STEPS; j++) elements[j] = half;
    for (int64_t i = 0; i < bytes / BYTES; i++) c[0] += ((const V *)room)[i];
    {" ".join(f"KEEP(c[{j}])" for j in sums)}
    BEGIN
    for (int64_t n = 0; n < passes; n++) {{
        const V *p = (const V *)room;
        for (int64_t block = 0; block < blocks; block++) {{
            const float *q = elements;
            __asm__ volatile("" : "+r"(q) : : "memory");
#pragma GCC unroll 4
            for (int64_t k = 0; k < steps; k++, p += {wide}) {{
                {loads}
                {each}
            }}
        }}
    }}
    END((double)(passes * blocks * steps) * WIDE / LINE + 0 * (sink = {" + ".join(f"c[{j}]" for j in sums)}, 1))
}}
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
