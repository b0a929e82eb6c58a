"""Vectors of elements that lie a few apart: whole loads, blended and permuted, beside each element by itself.

    python docs/lab/spaced/loads.py [avx2]

Each loop adds four such vectors, of two rows and two places, as a window of a pool does; all data are in L1. Prints
nanoseconds of a vector.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from griotte.engine.vectors.library import VectorLibrary
from griotte.machine import BUILT_IN

COUNT = 64
TIMED = ("-DROUNDS=15", "-DCALLS=4000")

MAIN = """
#include <stdio.h>
#include <time.h>
static char data[1 << 16] __attribute__((aligned(64))), found[1 << 14] __attribute__((aligned(64)));
static double timed(void (*f)(const void *, void *)) {
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int call = 0; call < CALLS; call++) { f(data + 4, found); __asm__ volatile("" : : : "memory"); }
        clock_gettime(CLOCK_MONOTONIC, &to);
        double ns = (to.tv_sec - from.tv_sec) * 1e9 + to.tv_nsec - from.tv_nsec;
        if (ns < best) best = ns;
    }
    return best / CALLS;
}
"""


def loop(library: VectorLibrary, name: str, dtype: str, lanes: int, stride: int, load: str) -> str:
    """A function over COUNT lanes' worth of vectors; `load` is C of a vector at {}."""
    T, row = library.scalar(dtype), COUNT * stride + 8
    each = " + ".join(load.format(f"p + {r * row + at} + k * {stride}") for r in range(2) for at in range(2))
    return (
        f"static __attribute__((noinline)) void {name}(const void *from, void *to) {{\n"
        f"    const {T} *const p = from;\n    {T} *const q = to;\n"
        f"    for (int64_t k = 0; k < {COUNT}; k += {lanes}) {library.store(dtype, lanes)}(q + k, {each});\n}}\n"
    )


def main() -> None:
    base = BUILT_IN[sys.argv[1] if len(sys.argv) > 1 else "avx2"]
    library, functions, rows = VectorLibrary(base.features), [], []
    for dtype, size in (("f32", 4), ("f64", 8), ("bf16", 2), ("u8", 1)):
        lanes = base.vector_bytes // size
        for stride in (2, 3, 4):
            name, known = f"{dtype}_{stride}", f"{library.load_strided(dtype, lanes)}({{}}, {stride}, {lanes})"
            ways = {"whole": f"{library.load_every(dtype, lanes, stride, lanes)}({{}})", "each": known}
            functions += [loop(library, f"{way}_{name}", dtype, lanes, stride, load) for way, load in ways.items()]
            timed = ", ".join(f"timed({way}_{name}) / {4 * COUNT // lanes}" for way in ways)
            rows.append(f'    printf("%-5s %d apart: whole %6.2f, each %6.2f\\n", "{dtype}", {stride}, {timed});')
    text = "\n".join([library.definitions(), *functions, MAIN, "int main(void) {", *rows, "    return 0;", "}"])
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "loads.c"
        source.write_text(text)
        subprocess.run(["gcc", "-O3", *base.flags, *TIMED, str(source), "-o", f"{folder}/loads"], check=True)
        subprocess.run([f"{folder}/loads"], check=True)


if __name__ == "__main__":
    main()
