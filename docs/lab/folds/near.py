"""Rows whose pitch is nearly a power of two: leaves that read a part of 64 of them again and again, cycles a step.

    near.py [--pitches 2048,2052,2116] [--rounds 15]

Each leaf is R rows by two vectors, as products read the second matrix as given. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import argparse
import mmap

import cffi
import numpy as np
from griotte.machine import resolve
from griotte.runtime.calibrate import source
from griotte.runtime.calibrate.timing import undisturbed
from griotte.runtime.toolchain import compile_shared

TILES, STEPS, PARTS, AGAIN = (4, 6), 64, 3, 12  # rows of results; rows that are read, parts of each, and how often


def leaf(rows: int) -> str:
    each = " ".join(f"c[{2 * r}] += q[{r} * 257 + k] * u; c[{2 * r + 1}] += q[{r} * 257 + k] * v;" for r in range(rows))
    total, kept = " + ".join(f"c[{j}]" for j in range(2 * rows)), " ".join(f"KEEP(c[{j}])" for j in range(2 * rows))
    return f"""
double near{rows}(char *room, int64_t pitch, int64_t unused)
{{
    typedef float U __attribute__((vector_size(BYTES), aligned(4), may_alias));
    V c[{2 * rows}] = {{0}};
    {kept}
    BEGIN
    for (int block = 0; block < 12; block++)
        for (int again = 0; again < {AGAIN}; again++)
            for (int part = 0; part < {PARTS}; part++) {{
                const char *from = room + 16 + block % 3 * {STEPS} * pitch + part * 2 * BYTES;
                const float *q = (const float *)(room + (1 << 20) + 16) + 64 * (block % 3) + again * {rows} * 257;
                __asm__ volatile("" : "+r"(q) : : "memory");
#pragma GCC unroll 4
                for (int k = 0; k < {STEPS}; k++, from += pitch) {{
                    V u = ((const U *)from)[0], v = ((const U *)from)[1];
                    KEEP(u) KEEP(v)
                    {each}
                }}
            }}
    END(12 * {AGAIN * PARTS * STEPS} + 0 * (sink = {total}, 1))
}}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pitches", default="1984,2000,2048,2052,2116,2180")
    parser.add_argument("--rounds", type=int, default=15)
    asked, here = parser.parse_args(), resolve("native")
    pitches = [int(pitch) for pitch in asked.pitches.split(",")]
    texts = [source.text(name) for name in ("now.c", "clock.c", "core.c")]
    code = [*texts[:2], source.numbers(here), source.KEEP, texts[2], *map(leaf, TILES)]
    ffi = cffi.FFI()
    ffi.cdef("\n".join(f"double near{rows}(char *, int64_t, int64_t);" for rows in TILES))
    library = ffi.dlopen(str(compile_shared("\n".join(code), here.flags)))
    memory = mmap.mmap(-1, 4 << 20)
    room, asked_of = ffi.from_buffer(memory), [(rows, pitch) for rows in TILES for pitch in pitches]
    rounds = [
        [getattr(library, f"near{rows}")(room, pitch, 0) for rows, pitch in asked_of] for _ in range(asked.rounds)
    ]
    for (rows, pitch), cycles in zip(asked_of, np.transpose(rounds)):
        print(f"{rows}x2 vectors, {pitch} bytes apart: {undisturbed(cycles, 0.25):6.2f} cycles a step")


if __name__ == "__main__":
    main()
