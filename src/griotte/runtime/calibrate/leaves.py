"""Tiles of registers, measured: each in a small loop nest whose operands are in L1 (codegen.nests). It runs with few
steps and with many; a line through both gives its cycles.

Peise and Bientinesi, "A Study on the Influence of Caching: Sequences of Dense Linear Algebra Kernels" (arXiv
1409.8608): a kernel is timed where its operands are in a program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cffi
import numpy as np

from ...codegen import nests
from ...codegen.nests import LeafNest
from ...engine.leaves.reduce import measured as tiles
from ...engine.leaves.reduce import price as reduce
from ...engine.leaves.reduce.measured import LYING
from ...lang.nests.family import PAGE
from ...machine.instructions import Kernel
from ...machine.leaves import Leaves, TimedForm, TimedTile
from ...machine.target import Target
from ...support.cpus import usable
from ..compilers import find_compiler
from ..toolchain import compile_shared
from .source import text
from .timing import undisturbed

DTYPES = {
    "f32": ("f32", "f32", "f32"),
    "f64": ("f64", "f64", "f64"),
    "bf16": ("bf16", "bf16", "f32"),
    "u8": ("u8", "s8", "s32"),
    "s8": ("s8", "s8", "s32"),
    "s16": ("s16", "s8", "s32"),
    "s32": ("s32", "s32", "s32"),
}
"""Dtypes of a product's inputs and of their sum, by the word that asks for them."""

ALWAYS = "f32"
"""The word of the products that are measured whatever instructions there are."""

FEW, MANY = 16, (96, 64, 48, 32)
"""Steps of the two nests of a tile: of the second as many as leave its operands in the `SHARE` of L1."""

SHARE = 0.75
ROUNDS = 25
CYCLES = 120_000  # of a nest's turn, by the ports
QUIET = 0.25  # the quantile of all rounds that counts, of which there are few
DIGITS = 4


def usual(target: Target) -> tuple[str, ...]:
    """The words of the products that are measured by default: f32, and products for which the target has kernels
    that sum several elements at once."""
    return tuple(word for word in DTYPES if word == ALWAYS or any(k.group > 1 for k in _kernels(target, word)))


def measure(target: Target, dtypes: Sequence[str]) -> Leaves | None:
    """Leaves of the target's kernels for products of such dtypes (words of DTYPES), on this machine; None where no tile
    could be measured."""
    of_word = [list(pairs(target, [word])) for word in dict.fromkeys(dtypes)]
    nests_of = [[nest for pair in asked for nest in pair] for asked in of_word]
    with ThreadPoolExecutor(usable()) as pool:  # all are compiled before any is timed
        libraries = list(pool.map(lambda asked: _compiled(asked, target), nests_of))
    by_form: dict[str, list[tuple[TimedTile, float]]] = defaultdict(list)
    for asked, nested, library in zip(of_word, nests_of, libraries):
        found = _timed(library, nested, target)
        for (few, many), least, most in zip(asked, found[::2], found[1::2]):
            if not np.isnan(least + most):
                by_form[few.form].append((line(few, many, least, most, target), most / modelled(many, target)))
    forms = tuple(
        TimedForm(name, _rounded(float(np.median([ratio for _, ratio in of]))), tuple(tile for tile, _ in of))
        for name, of in by_form.items()
    )
    return (
        Leaves(find_compiler().version, nests.digest([form.name for form in forms], target), forms) if forms else None
    )


def modelled(nest: LeafNest, target: Target) -> float:
    """Cycles of one leaf of a nest by the ports, with all that the target counts of it besides."""
    family, size = nest.leaf(target)
    return float(
        reduce.cycles(nest.kernel, "n", family, target, size) + tiles.counted(target, nest.rows * nest.vectors)
    )


def pairs(target: Target, dtypes: Sequence[str]) -> Iterator[tuple[LeafNest, LeafNest]]:
    """The two nests of each tile that the target's registers hold: with few steps, and with many."""
    for word in dtypes:
        first, second, accumulator = DTYPES[word]
        for kernel in _kernels(target, word):
            for lies in LYING:
                for rows in range(1, target.registers):
                    for vectors in range(1, 1 + target.registers // rows):
                        few = LeafNest(kernel, (first, second), accumulator, lies, rows, vectors, FEW)
                        if few.fits(target) and (many := _many(few, target)):
                            yield few, many


def _kernels(target: Target, word: str) -> list[Kernel]:
    """The kernels that are measured of such products: those that sum several elements at once, where there are any."""
    first, second, accumulator = DTYPES[word]
    serving = [
        kernel
        for kernel in target.kernels
        if not kernel.addresses
        and any(LeafNest(kernel, (first, second), accumulator, lies, 1, 1, FEW).fits(target) for lies in LYING)
    ]
    return [kernel for kernel in serving if kernel.group > 1] or serving


def _many(few: LeafNest, target: Target) -> LeafNest | None:
    found = (replace(few, steps=steps) for steps in MANY)
    return next((nest for nest in found if nest.starts(target)[-1] <= SHARE * target.levels[1].capacity), None)


def line(few: LeafNest, many: LeafNest, least: float, most: float, target: Target) -> TimedTile:
    """The line through both; or halfway between, where that would have accumulators updated in less time than there are
    ports for."""
    bound = few.rows * few.vectors / target.ports.arithmetic
    slope = max((most - least) / (many.steps - few.steps), bound)
    entered = (least - few.steps * slope + most - many.steps * slope) / 2
    return TimedTile(few.rows, few.vectors, _rounded(max(0.0, entered)), _rounded(slope))


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def cycles(asked: Sequence[LeafNest], target: Target, span: int = 0) -> list[float]:
    """Cycles of a leaf of each nest; NaN where the clock never agreed. With a `span`, the operand along the lanes is
    another part of so many bytes at each call, so that it comes from where these rest."""
    return _timed(_compiled(asked, target), asked, target, span)


def _compiled(asked: Sequence[LeafNest], target: Target) -> Path | None:
    return compile_shared(_source(asked, target), target.flags) if asked else None


def _timed(path: Path | None, asked: Sequence[LeafNest], target: Target, span: int = 0) -> list[float]:
    if path is None:
        return []
    ffi = cffi.FFI()
    ffi.cdef("double leaf(int, char *, int64_t, int64_t, int64_t, int64_t);")
    library = ffi.dlopen(str(path))
    room = ffi.from_buffer(
        "char[]",
        np.ones((max(nest.starts(target)[-1] for nest in asked) + span + PAGE) // 4, np.float32).view(np.uint8),
    )  # touched: else it is one page of zeros
    turns = [max(1, int(CYCLES / modelled(nest, target) / nest.tiles)) for nest in asked]
    parts = [nest.starts(target)[2] - nest.starts(target)[1] for nest in asked]
    rounds = [
        [
            library.leaf(i, room, count, nest.tiles, part, span // part * part)
            for i, (nest, count, part) in enumerate(zip(asked, turns, parts))
        ]
        for _ in range(ROUNDS)
    ]
    return [undisturbed((found[i] for found in rounds), QUIET) for i in range(len(asked))]


def _source(asked: Sequence[LeafNest], target: Target) -> str:
    """The C of the nests, and one function that times any of them: cycles of a leaf."""
    runs = [_run(i, nest.starts(target)) for i, nest in enumerate(asked)]
    table = f"static void (*const runs[])(char *, int64_t) = {{{', '.join(f'run_{i}' for i in range(len(asked)))}}};"
    return "\n".join([text("now.c"), text("clock.c"), nests.source(asked, target), *runs, table, _LEAF])


def _run(number: int, starts: list[int]) -> str:
    """The arrays of a nest lie one after the other, its output before the operand that lies along the lanes, which may
    be larger."""
    first, second, result, end = starts
    return (
        f"static void run_{number}(char *room, int64_t at) {{ nest_{number}((const void *)(room + {first}), (const void"
        f" *)(room + {end - result + second} + at), (void *)(room + {second})); }}"
    )


_LEAF = r"""
double leaf(int which, char *unaligned, int64_t calls, int64_t leaves, int64_t part, int64_t span)
{
    char *const room = (char *)(((uintptr_t)unaligned + 4095) / 4096 * 4096);
    for (int64_t at = 0; at == 0 || at < span; at += part) runs[which](room, at);
    int64_t at = 0;
    BEGIN
    for (int64_t i = 0; i < calls; i++) {
        runs[which](room, at);
        at += part;
        at = at < span ? at : 0;
    }
    END(calls * leaves)
}
"""
