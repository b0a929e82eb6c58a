"""The arrays of a problem and the result they should give, as files that every contestant copies.

Tolerance: f32 sums may be off by (k + 8) units of 2**-24 of the sum of |terms|; a result rounded to bf16 by 2**-8 of
itself more; integers by nothing. A graph's result may be off by 1e-4 of itself and 1e-5 of the largest: libraries have
exp, tanh and erf of their own; what is left out, or read from elsewhere, is off by more. One of bf16, where each call
may round what it gives, by 2**-6 of both. Where numbers lie half-way libraries do not agree: one of bytes may be off by
one, one that rounds its activations to bytes by 2**-9 of the largest; activations that are not rounded at all are off
by more.
"""

from __future__ import annotations

from dataclasses import fields
from math import prod
from pathlib import Path

import numpy as np

from . import calls, exact
from .contestant import as_bf16
from .problems import Problem
from .stated import Stated

SEED = 0


def write(problem: Problem, folder: Path) -> None:
    """a.npy, b.npy (bf16 as its bits), expected.npy, allowed.npy; b.swapped says that b lies there as [n, k]."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    batch = (problem.batch,) if problem.batch > 1 else ()
    a = _drawn(rng, problem.dtype, "a", (*batch, problem.m, problem.k))
    is_swapped = problem.layout == "col"
    b = _drawn(
        rng, problem.dtype, "b", (*batch, problem.n, problem.k) if is_swapped else (*batch, problem.k, problem.n)
    )
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    if is_swapped:
        (folder / "b.swapped").touch()
    x, w = _exact(a), _exact(b.swapaxes(-1, -2) if is_swapped else b)
    np.save(folder / "expected.npy", x @ w)
    is_float = problem.dtype != "u8s8"
    np.save(
        folder / "allowed.npy",
        (problem.k + 8) * 2.0**-24 * (np.abs(x) @ np.abs(w)) if is_float else np.zeros((*batch, problem.m, problem.n)),
    )


def write_stated(problem: Stated, folder: Path) -> None:
    """x0.npy, x1.npy, .., expected.npy, allowed.npy."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(SEED)
    taken = [args for name, args, *_ in calls.walk(problem.parsed[0]) if name == "take"]
    rows = {i: calls.shape_of(x, problem.inputs)[0] for x, i in taken}
    arrays = [
        _bytes(rng, x) if problem.dtype == "u8" else _drawn(rng, x.dtype, "x", x.shape, rows.get(i, _fan(x)))
        for i, x in enumerate(problem.inputs)
    ]
    for i, array in enumerate(arrays):
        np.save(folder / f"x{i}.npy", array)
    expected = calls.function(problem.parsed[0], exact.FORMS)(*map(_exact, arrays))
    np.save(folder / "expected.npy", expected)
    of_itself, of_largest, of_all = {"bf16": (2.0**-6, 2.0**-6, 0.0), "u8": (0.0, 0.0, 1.0)}.get(
        problem.dtype, (1e-4, 1e-5, 0.0)
    )
    of_largest = 2.0**-9 if "activations=s8" in problem.spec else of_largest
    np.save(folder / "allowed.npy", of_itself * np.abs(expected) + of_largest * np.abs(expected).max() + of_all)


def write_json(problem: dict, folder: str) -> None:
    """In a child."""
    kind, make = (Stated, write_stated) if "spec" in problem else (Problem, write)
    names = {f.name for f in fields(kind)}
    make(kind(**{k: v for k, v in problem.items() if k in names}), Path(folder))


def _fan(x: calls.Input) -> int:
    """How many numbers a weight is multiplied with and added up: it is smaller by their root, so that what follows is
    as large as what came in."""
    return prod(x.shape[1:] if len(x.shape) == 4 else x.shape[-2:-1]) if x.const else 1


def _drawn(rng, dtype: str, operand: str, shape: tuple[int, ...], fan: int = 1) -> np.ndarray:
    """`fan`: of weights as _fan has it; of numbers of rows how many there are."""
    if dtype == "s4":  # one to a byte: each library packs them as it wants them
        return rng.integers(-8, 8, shape, np.int8)
    if dtype == "s32":
        return rng.integers(0, fan, shape, np.int32)
    if dtype == "u8s8":
        return rng.integers(0, 128, shape, np.uint8) if operand == "a" else rng.integers(-128, 128, shape, np.int8)
    values = (rng.random(shape, np.float32) * np.float32(2) - np.float32(1)) * np.float32(fan**-0.5)
    return values if dtype == "f32" else (values.view(np.uint32) >> 16).astype(np.uint16)


def _bytes(rng, x: calls.Input) -> np.ndarray:
    """An input of a graph of bytes: those that are multiplied, scales of their sums, a zero in the middle."""
    if x.dtype in ("u8", "s8") and x.shape:
        return _drawn(rng, "u8s8", "a" if x.dtype == "u8" else "b", x.shape)
    return (
        np.full(x.shape, 128, np.uint8)
        if x.dtype == "u8"
        else (rng.random(x.shape, np.float32) + np.float32(0.5)) * np.float32(2.0**-10)
    )


def _exact(array: np.ndarray) -> np.ndarray:
    return (as_bf16(array) if array.dtype == np.uint16 else array).astype(np.float64)
