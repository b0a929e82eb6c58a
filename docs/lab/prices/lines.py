"""What a 64-byte line takes: read, written and copied, by how much is touched; and rows read side by side, by their
distance.

    PYTHONPATH=benchmarks .venv/bin/python docs/lab/prices/lines.py

In cycles of a chain of dependent additions, timed in turn with each; medians. These are the figures behind the
coefficients `stream`, `store` and `start` (docs/explanation/cost.md), and the distance at which programs ask ahead. Not
a row of run.py: it has no bar.
"""

from __future__ import annotations

import ctypes
import statistics

import numpy as np
import probe

SIZES = (1, 4, 16, 64, 96)  # MiB
PITCHES = (16, 48, 56, 64, 72, 128)  # KiB from row to row
PART = 16 << 10  # bytes of each row that are read before the next rows
TOTAL = 96 << 20  # bytes in which the rows lie
AHEAD = (0, 256, 512, 1024)  # bytes ahead that are asked for; 0: nothing

SOURCE = """
typedef float v16 __attribute__((vector_size(64)));

v16 sink;

double line(int what, float *to, const float *from, int64_t lines)
{
    v16 s[4] = {0};
    const v16 *x = (const v16 *)from;
    v16 *y = (v16 *)to;
    const double start = now();
    if (what == 0)
        for (int64_t i = 0; i < lines; i += 4) { s[0] += x[i]; s[1] += x[i + 1]; s[2] += x[i + 2]; s[3] += x[i + 3]; }
    else if (what == 1)
        for (int64_t i = 0; i < lines; i++) y[i] = s[0];
    else
        for (int64_t i = 0; i < lines; i++) y[i] = x[i];
    sink = s[0] + s[1] + s[2] + s[3];
    return (now() - start) / lines;
}

/* 8 rows side by side, three lines of each at a time, `part` lines of each row; then the next 8; then the next part. */
double rows(const float *from, int64_t count, int64_t pitch, int64_t part, int64_t ahead)
{
    v16 s[3] = {0};
    int64_t read = 0;
    const double start = now();
    for (int64_t first = 0; first + part <= pitch; first += part)
        for (int64_t row = 0; row + 8 <= count; row += 8)
            for (int64_t i = first; i + 3 <= first + part; i += 3)
                for (int r = 0; r < 8; r++) {
                    const v16 *x = (const v16 *)from + (row + r) * pitch + i;
                    for (int v = 0; v < 3; v++) {
                        s[v] += x[v];
                        if (ahead) __builtin_prefetch((const char *)(x + v) + ahead);
                    }
                    read += 3;
                }
    sink = s[0] + s[1] + s[2];
    return (now() - start) / read;
}
"""


def median(call, library, rounds: int) -> float:
    return statistics.median(call() / probe.cycle(library) for _ in range(rounds))


def main() -> None:
    library = probe.build(SOURCE, ("-march=native",))
    library.line.restype = library.rows.restype = ctypes.c_double
    room = np.ones((2, TOTAL + 4096), np.uint8)  # written: pages never written are all the one page of zeros
    a, b = (ctypes.c_void_p(r.ctypes.data + -r.ctypes.data % 4096) for r in room)
    print(f"{'cycles a line':16} {'read':>6} {'write':>6} {'copy':>6}")
    for size in SIZES:
        lines = ctypes.c_int64((size << 20) // 64)
        print(
            f"{size:4} MiB         ",
            *(f"{median(lambda: library.line(what, b, a, lines), library, 9):6.1f}" for what in range(3)),
        )
    print(f"\n{'8 rows, 16 KiB of each':24}", *(f"{f'ahead {x}' if x else 'no ahead':>10}" for x in AHEAD))
    for pitch in PITCHES:
        sizes = [ctypes.c_int64(x) for x in (TOTAL // (pitch << 10), (pitch << 10) // 64, PART // 64)]
        print(
            f"{pitch:4} KiB apart           ",
            *(f"{median(lambda: library.rows(a, *sizes, ctypes.c_int64(x)), library, 4):10.1f}" for x in AHEAD),
        )


if __name__ == "__main__":
    main()
