"""Parts of rows that a leaf of registers reads over and over: cycles a step, by rows, bytes between rows, and where the
arrays begin; and those of leaves whose last vector is loaded in parts.

    python docs/lab/prices/parts.py
"""

from __future__ import annotations

import cffi
import numpy as np
from griotte.machine import resolve
from griotte.runtime.calibrate.timing import Stopwatch
from griotte.runtime.toolchain import compile_shared

SOURCE = r"""
#include <stdint.h>
#include <string.h>
typedef float V __attribute__((vector_size(32)));
typedef float H __attribute__((vector_size(16)));
typedef int64_t D __attribute__((vector_size(16)));
typedef int32_t W __attribute__((vector_size(16)));
typedef float U __attribute__((vector_size(32), aligned(4), may_alias));
typedef float UH __attribute__((vector_size(16), aligned(4), may_alias));
static inline __attribute__((always_inline)) H few(const float *p, int n)
{
    H v = {0};
    if (n & 2) { int64_t t; memcpy(&t, p, 8); D w = (D)v; w[0] = t; v = (H)w; }
    if (n & 1) { int32_t t; memcpy(&t, p + (n & 2), 4); W w = (W)v; w[n & 2] = t; v = (H)w; }
    return v;
}
static inline __attribute__((always_inline)) V tail(const float *p, int n)
{
    if (n == 8) return *(const U *)p;
    const H t = few(n < 4 ? p : p + 4, n < 4 ? n : n - 4);
    return n < 4 ? __builtin_shufflevector(t, (H){0}, 0, 1, 2, 3, 4, 5, 6, 7)
                 : __builtin_shufflevector(*(const UH *)p, t, 0, 1, 2, 3, 4, 5, 6, 7);
}
#define LEAF(N) \
static __attribute__((noinline)) void leaf##N(const float *a, const float *b, float *y, const int64_t *s) \
{ \
    V c[8]; \
    for (int j = 0; j < 8; j++) c[j] = (V){0}; \
    _Pragma("GCC unroll 4") for (int64_t k = 0; k < s[1]; k++) { \
        V u = *(const U *)(b + k * s[2]), v = tail(b + k * s[2] + 8, N); \
        __asm__("" : "+x"(u)); __asm__("" : "+x"(v)); \
        for (int r = 0; r < 4; r++) { V x = a[k + r * s[1]] - (V){}; c[2 * r] += x * u; c[2 * r + 1] += x * v; } \
    } \
    for (int j = 0; j < 8; j++) ((U *)y)[j] = c[j]; \
} \
void run##N(const float *a, const float *b, float *y, const int64_t *s) \
{ \
    for (int64_t n = 0; n + 16 <= s[3]; n += 16) \
        for (int64_t m = 0; m + 4 <= s[0]; m += 4) leaf##N(a + m * s[1], b + n, y, s); \
}
LEAF(1) LEAF(2) LEAF(3) LEAF(4) LEAF(5) LEAF(6) LEAF(7) LEAF(8)
"""
ROWS, TURNS = 240, 5


def main() -> None:
    ffi = cffi.FFI()
    ffi.cdef("".join(f"void run{n}(void *, void *, void *, void *);" for n in range(1, 9)))
    library, watch = ffi.dlopen(str(compile_shared(SOURCE, resolve("avx2").flags))), Stopwatch()

    def begun(count: int, at: int) -> np.ndarray:
        room = np.ones(count + 64, np.float32)
        start = (-room.ctypes.data % 64 + at) // 4
        return room[start : start + count]

    def cycles(last: int, steps: int, pitch: int, columns: int, at: int) -> float:
        a, b, y = begun(ROWS * steps, 0), begun(steps * pitch + 64, at), begun(64, 0)
        sizes = np.array([ROWS, steps, pitch, columns], np.int64)
        taken = [min(watch.cycles(getattr(library, f"run{last}"), [a, b, y, sizes])) for _ in range(TURNS)]
        return float(np.median(taken)) / (ROWS // 4 * (columns // 16) * steps)

    for steps in (64, 128, 180, 237):
        for pitch in (16, 24, 48, 50, 96):
            found = [cycles(8, steps, pitch, 48 if pitch >= 48 else 16, at) for at in (0, 16)]
            print(f"{steps} rows {4 * pitch} bytes apart: {found[0]:.2f} on a line, {found[1]:.2f} within one")
    print("last vector of 1 to 8 elements:", *(f"{cycles(last, 96, 47, 16, 0):.2f}" for last in range(1, 9)))


if __name__ == "__main__":
    main()
