"""Tiles of registers, measured: each in a small loop nest whose operands are in L1 (codegen.nests), with few steps and with many, as a line through both.

Peise and Bientinesi, "A Study on the Influence of Caching: Sequences of Dense Linear Algebra Kernels" (arXiv 1409.8608): a kernel is timed where its operands are in a program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cffi
import numpy as np

from ..codegen import nests
from ..codegen.nests import Nest
from ..cost import reduce, tiles
from ..runtime.toolchain import compile_shared, find_compiler
from ..targets.kernels import MULTIPLY
from ..targets.leaves import Form, Leaves, Tile
from ..targets.target import Target
from .probes import CLOCK

DTYPES = {"f32": ("f32", "f32", "f32"), "f64": ("f64", "f64", "f64"), "bf16": ("bf16", "bf16", "f32"), "u8": ("u8", "s8", "s32"), "s8": ("s8", "s8", "s32"), "s32": ("s32", "s32", "s32")}
"""Of a product's inputs and of what they are summed in, by the word that asks for them."""

FEW, MANY = 16, (96, 64, 48, 32)
"""Steps of the two nests of a tile: of the second as many as leave its operands in the `SHARE` of L1."""

SHARE = 0.75
ROUNDS = 25
CYCLES = 120_000  # of a nest's turn, by the ports
QUIET = 0.25  # the quantile of all rounds that counts, as of the probes
DIGITS = 4


def measure(target: Target, dtypes: Sequence[str]) -> Leaves | None:
    """Leaves of the target's kernels for products of such dtypes (words of DTYPES), on this machine; None where no tile could be measured."""
    pairs = list(_pairs(target, dtypes))
    cycles = _cycles([nest for pair in pairs for nest in pair], target)
    found: dict[str, list[tuple[Tile, float]]] = defaultdict(list)
    for (few, many), least, most in zip(pairs, cycles[::2], cycles[1::2]):
        if not np.isnan(least + most):
            found[few.form].append((_line(few, many, least, most), most / modelled(many, target)))
    forms = tuple(Form(name, _rounded(float(np.median([ratio for _, ratio in of]))), tuple(tile for tile, _ in of)) for name, of in found.items())
    return Leaves(find_compiler().version, nests.digest([form.name for form in forms], target), forms) if forms else None


def modelled(nest: Nest, target: Target) -> float:
    """Cycles of one leaf of a nest by the ports, with all that the target counts of it besides."""
    family, size = nest.leaf(target)
    return float(reduce.cycles(nest.kernel, "n", family, target, size) + tiles.counted(target, nest.rows * nest.vectors))


def _pairs(target: Target, dtypes: Sequence[str]) -> Iterator[tuple[Nest, Nest]]:
    """Of each tile that the target's registers hold: with few steps, and with many."""
    for first, second, accumulator in (DTYPES[name] for name in dtypes):
        for kernel in (k for k in target.kernels if k.form == "reduce" and k.body == MULTIPLY and not k.addresses):
            for lies in tiles.LYING:
                for rows in range(1, target.registers):
                    for vectors in range(1, 1 + target.registers // rows):
                        few = Nest(kernel, (first, second), accumulator, lies, rows, vectors, FEW)
                        if few.fits(target) and (many := _many(few, target)):
                            yield few, many


def _many(few: Nest, target: Target) -> Nest | None:
    found = (replace(few, steps=steps) for steps in MANY)
    return next((nest for nest in found if nest.starts(target)[-1] <= SHARE * target.levels[1].capacity), None)


def _line(few: Nest, many: Nest, least: float, most: float) -> Tile:
    """The line through both."""
    slope = max(0.0, most - least) / (many.steps - few.steps)
    return Tile(few.rows, few.vectors, _rounded(max(0.0, least - few.steps * slope)), _rounded(slope))


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _cycles(asked: Sequence[Nest], target: Target) -> list[float]:
    """Cycles of a leaf of each nest; NaN where the clock never agreed."""
    if not asked:
        return []
    ffi = cffi.FFI()
    ffi.cdef("double leaf(int, char *, int64_t, int64_t);")
    library = ffi.dlopen(str(compile_shared(_source(asked, target), target.flags)))
    room = ffi.from_buffer("char[]", np.ones((max(nest.starts(target)[-1] for nest in asked) + 4096) // 4, np.float32).view(np.uint8))  # touched: else it is one page of zeros
    calls = [max(1, int(CYCLES / modelled(nest, target) / nest.tiles)) for nest in asked]
    rounds = [[library.leaf(i, room, count, nest.tiles) for i, (nest, count) in enumerate(zip(asked, calls))] for _ in range(ROUNDS)]
    return [_quiet([found[i] for found in rounds]) for i in range(len(asked))]


def _quiet(cycles: list[float]) -> float:
    known = [x for x in cycles if not np.isnan(x)]
    return float(np.quantile(known, QUIET)) if known else float("nan")


def _source(asked: Sequence[Nest], target: Target) -> str:
    """The C of the nests, and one function that times any of them: cycles of a leaf."""
    runs = [_run(i, nest.starts(target)) for i, nest in enumerate(asked)]
    table = f"static void (*const runs[])(char *) = {{{', '.join(f'run_{i}' for i in range(len(asked)))}}};"
    return "\n".join([CLOCK, nests.source(asked, target), *runs, table, _LEAF])


def _run(number: int, starts: list[int]) -> str:
    return f"static void run_{number}(char *room) {{ nest_{number}((const void *)(room + {starts[0]}), (const void *)(room + {starts[1]}), (void *)(room + {starts[2]})); }}"


_LEAF = r"""
double leaf(int which, char *unaligned, int64_t calls, int64_t leaves)
{
    char *const room = (char *)(((uintptr_t)unaligned + 2047) / 2048 * 2048);
    runs[which](room);
    BEGIN
    for (int64_t i = 0; i < calls; i++) runs[which](room);
    END(calls * leaves)
}
"""
