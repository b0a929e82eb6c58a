"""AMX: eight tile registers of 16 rows of 64 bytes, and products of bf16 and 8-bit tiles (Intel 64 and IA-32
Architectures Software Developer's Manual, vol. 1 ch. 18; Intel Intrinsics Guide, AMX).

All eight registers keep their whole shape: the configuration and the release take some 55 ns
(docs/lab/prices/tiles.py), far more than any leaf gains by another. Part tiles go through a zeroed block on the stack.
"""

from __future__ import annotations

import ctypes
import os
import sys

from ..instructions import Kernel, Matrix
from ..kernels import MULTIPLY, dot

FLAGS = {"amx_tile": "-mamx-tile", "amx_bf16": "-mamx-bf16", "amx_int8": "-mamx-int8"}
"""Compiler flag by CPU feature."""

_PREAMBLE = """
/* Tile registers: every one of 16 rows of 64 bytes. Linux gives a process their use when it asks (arch_prctl). */
static const struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tile_shapes __attribute__((aligned(64))) = {1, 0, {0}, {64, 64, 64, 64, 64, 64, 64, 64}, \
{16, 16, 16, 16, 16, 16, 16, 16}};

__attribute__((constructor)) static void tiles_permitted(void)
{
#ifdef __linux__
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA);
#endif
}
""".strip()

TILES = Matrix(
    rows=16,
    row_bytes=64,
    registers=8,
    zero="_tile_zero({r});",
    load="_tile_loadd({r}, {p}, {stride});",
    store="_tile_stored({r}, {p}, {stride});",
    # docs/lab/prices/tiles.py, where a product is 16: 7.7, 14.7, and from L2 0.73 to 0.83 a line more
    load_cycles=8.0,
    store_cycles=16.0,
    far_line_cycles=0.75,
)

_SIGN = {"u8": "u", "s8": "s"}


def _product(instruction: str, inputs: tuple[str, str], compute: str, group: int, feature: str, columns: int) -> Kernel:
    """One product a register pair every 16 cycles: an eighth of a slot for each of its 256 vector steps."""
    name = f"tile_{inputs[0]}{inputs[1]}" if inputs[0] != inputs[1] else f"tile_{inputs[0]}"
    return Kernel(
        name if columns else f"{name}_turned",
        "matrix",
        f"_tile_{instruction}({{c}}, {{x0}}, {{x1}});",
        dot,
        combine=("add",),
        body=MULTIPLY,
        inputs=inputs,
        compute=(compute,),
        group=group,
        needs=frozenset({"amx_tile", feature}),
        headers=("immintrin.h", "sys/syscall.h", "unistd.h"),
        begin="_tile_loadconfig(&tile_shapes);",
        end="_tile_release();",
        preamble=_PREAMBLE,
        uops=0.125,
        latency=52.0,
        matrix=TILES,
        columns=columns,
    )


def _bytes(x: str, y: str, columns: int) -> Kernel:
    rows, lanes = (x, y) if columns else (y, x)
    return _product(f"dpb{_SIGN[rows]}{_SIGN[lanes]}d", (x, y), "s32", 4, "amx_int8", columns)


KERNELS = (
    *(_product("dpbf16ps", ("bf16", "bf16"), "f32", 2, "amx_bf16", columns) for columns in (1, 0)),
    *(_bytes(x, y, columns) for x in _SIGN for y in _SIGN for columns in (1, 0)),
)


def withheld() -> frozenset[str]:
    """The features of tiles, where the system does not let a process use their registers."""
    return frozenset() if _permitted() else frozenset(FLAGS)


def _permitted() -> bool:
    """Whether Linux lets a process use AMX tile registers once it asks: arch_prctl(ARCH_GET_XCOMP_SUPP), bit 18."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return False
    supported = ctypes.c_uint64()
    ARCH_PRCTL, GET_SUPPORTED, TILE_DATA = 158, 0x1021, 18
    return ctypes.CDLL(None).syscall(ARCH_PRCTL, GET_SUPPORTED, ctypes.byref(supported)) == 0 and bool(
        supported.value >> TILE_DATA & 1
    )
