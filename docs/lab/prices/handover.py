"""What a line of a copy takes that two threads share: to write it, where the other thread read it before, and to read
it after.

    PYTHONPATH=benchmarks .venv/bin/python docs/lab/prices/handover.py

Each of two threads writes half of a buffer; then both read all of it; again and again. In cycles of a chain of
dependent additions; medians. The figures behind the coefficient `handover` (docs/explanation/cost.md). Not a row of
run.py: it has no bar.
"""

from __future__ import annotations

import ctypes
import statistics

import numpy as np
import probe

SIZES = (64, 256, 1024, 2048, 4096, 8192)  # KiB
ROUNDS = 40

SOURCE = """
typedef float v16 __attribute__((vector_size(64)));

v16 sinks[2 * 64];

static void write(v16 *x, int64_t lines, float value)
{
    for (int64_t i = 0; i < lines; i++) x[i] = (v16){0} + value;
}

static v16 read(const v16 *x, int64_t lines)
{
    v16 s[4] = {{0}};
    for (int64_t i = 0; i < lines; i += 4) { s[0] += x[i]; s[1] += x[i + 1]; s[2] += x[i + 2]; s[3] += x[i + 3]; }
    return s[0] + s[1] + s[2] + s[3];
}

/* Seconds of the first thread in the last of three turns, in taken: writing, reading what it wrote,
   reading what the other wrote;
   `shared`: the other's half is read at all. */
double turns(v16 *x, int64_t half, int shared, double *taken)
{
#pragma omp parallel num_threads(2)
    {
        const int one = omp_get_thread_num(), other = 1 - one;
        for (int turn = 0; turn < 3; turn++) {
#pragma omp barrier
            const double start = now();
            write(x + one * half, half, turn);
            const double written = now();
#pragma omp barrier
            const double before = now();
            sinks[64 * one] += read(x + one * half, half);
            const double own = now();
            if (shared) sinks[64 * one] += read(x + other * half, half);
            const double others = now();
            if (one == 0) taken[0] = written - start, taken[1] = own - before, taken[2] = others - own;
        }
    }
    return 0;
}
"""


def main() -> None:
    library = probe.build("#include <omp.h>\n" + SOURCE, ("-march=native", "-fopenmp"))
    library.turns.restype = ctypes.c_double
    room, taken = np.ones((SIZES[-1] << 10) + 4096, np.uint8), (ctypes.c_double * 3)()
    at = ctypes.c_void_p(room.ctypes.data + -room.ctypes.data % 4096)
    print(f"{'cycles a line':>16} {'write, own':>11} {'write, shared':>14} {'read, own':>10} {'read, other':>12}")
    for size in SIZES:
        found: dict[bool, list] = {False: [], True: []}
        half = (size << 10) // 128
        for _ in range(ROUNDS):
            for shared, times in found.items():
                library.turns(at, ctypes.c_int64(half), shared, taken)
                cycle = probe.cycle(library)
                times.append([seconds / half / cycle for seconds in taken])
        apart, shared = ([statistics.median(column) for column in zip(*found[kind])] for kind in (False, True))
        print(f"{size:12} KiB {apart[0]:11.1f} {shared[0]:14.1f} {shared[1]:10.1f} {shared[2]:12.1f}")


if __name__ == "__main__":
    main()
