"""What the tile registers of AMX take: a product, a load and a store of a whole register, and their configuration.

    PYTHONPATH=benchmarks .venv/bin/python docs/lab/prices/tiles.py

In cycles of a chain of dependent additions, timed in turn with each: these are the numbers in
griotte's targets/x86/amx.py. Not a row of run.py: it has no bar.
"""

from __future__ import annotations

import ctypes
import statistics
import sys

import probe
from griotte.machine import detect
from griotte.machine.x86 import amx

ROUNDS = 31
PROBES = {
    "product": 4,
    "load, from L1": 4,
    "load, from L2": 4,
    "load of rows 1 KiB apart, from L2": 4,
    "store": 4,
    "store of rows 1 KiB apart, to L2": 4,
    "load of rows that lie in two lines, from L1": 4,
    "store of rows that lie in two lines": 4,
    "configuration and release": 1,
}

SOURCE = """
#include <immintrin.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
%s

static uint8_t block[4][1024] __attribute__((aligned(64)));
static uint8_t far[512][1024] __attribute__((aligned(64)));  /* 512 KiB: more than L1, less than L2 */

double probe(int which, int64_t count)
{
    %s
    _tile_zero(0); _tile_zero(1); _tile_zero(2); _tile_zero(3); _tile_zero(4); _tile_zero(5); _tile_zero(6);
        _tile_zero(7);
    memset(far, 1, sizeof far);  /* or all of it is the one page of zeros */
    double from = now();
    switch (which) {
    case 0:
        for (int64_t i = 0; i < count; i++) { _tile_dpbf16ps(0, 4, 5); _tile_dpbf16ps(1, 4, 6);
            _tile_dpbf16ps(2, 7, 5); _tile_dpbf16ps(3, 7, 6); }
        break;
    case 1:
        for (int64_t i = 0; i < count; i++) { _tile_loadd(4, block[0], 64); _tile_loadd(5, block[1], 64);
            _tile_loadd(6, block[2], 64); _tile_loadd(7, block[3], 64); }
        break;
    case 2:
        for (int64_t i = 0; i < count; i++) {
            uint8_t (*at)[1024] = far + i %% 128 * 4;
            _tile_loadd(4, at[0], 64); _tile_loadd(5, at[1], 64); _tile_loadd(6, at[2], 64); _tile_loadd(7, at[3], 64);
        }
        break;
    case 3:
        for (int64_t i = 0; i < count; i++) {
            uint8_t *at = far[i / 16 %% 8 * 64] + i %% 16 * 64;
            _tile_loadd(4, at, 1024); _tile_loadd(5, at + 16 * 1024, 1024); _tile_loadd(6, at + 32 * 1024, 1024);
                _tile_loadd(7, at + 48 * 1024, 1024);
        }
        break;
    case 4:
        for (int64_t i = 0; i < count; i++) { _tile_stored(0, block[0], 64); _tile_stored(1, block[1], 64);
            _tile_stored(2, block[2], 64); _tile_stored(3, block[3], 64); }
        break;
    case 5:
        for (int64_t i = 0; i < count; i++) {
            uint8_t *at = far[i / 16 %% 8 * 64] + i %% 16 * 64;
            _tile_stored(0, at, 1024); _tile_stored(1, at + 16 * 1024, 1024); _tile_stored(2, at + 32 * 1024, 1024);
                _tile_stored(3, at + 48 * 1024, 1024);
        }
        break;
    case 6:
        for (int64_t i = 0; i < count; i++) { _tile_loadd(4, far[0] + 16, 1024); _tile_loadd(5, far[0] + 80, 1024);
            _tile_loadd(6, far[0] + 144, 1024); _tile_loadd(7, far[0] + 208, 1024); }
        break;
    case 7:
        for (int64_t i = 0; i < count; i++) { _tile_stored(0, far[0] + 16, 1024); _tile_stored(1, far[0] + 80, 1024);
            _tile_stored(2, far[0] + 144, 1024); _tile_stored(3, far[0] + 208, 1024); }
        break;
    default:
        for (int64_t i = 0; i < count; i++) { %s %s }
        %s
    }
    double seconds = (now() - from) / count;
    %s
    return seconds;
}
"""


def build():
    tiles = amx.KERNELS[0]
    library = probe.build(
        SOURCE % (tiles.preamble, tiles.begin, tiles.begin, tiles.end, tiles.begin, tiles.end),
        (*amx.FLAGS.values(), "-mavx512f"),
    )
    library.probe.restype = ctypes.c_double
    return library


def main() -> int:
    if not set(amx.FLAGS) <= detect().flags:
        print("this CPU has no tile registers for bf16 and bytes")
        return 1
    library = build()
    for which, (name, each) in enumerate(PROBES.items()):
        rounds = []
        for _ in range(ROUNDS):
            cycle = probe.cycle(library)
            seconds = library.probe(which, ctypes.c_int64(20_000)) / each
            rounds.append((seconds / cycle, seconds * 1e9))
        cycles, nanoseconds = (statistics.median(x) for x in zip(*rounds))
        print(f"{name:42}  {cycles:6.1f} cycles  {nanoseconds:6.1f} ns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
