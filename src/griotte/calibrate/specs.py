"""The Specs that a calibration measures: contractions of every shape, copies, maps and reductions, from what rests in L1 to what
streams from memory. Sizes are drawn log-uniformly; none takes more than some milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

MULTIPLY_ADDS = 1.5e8  # of one Spec, at most
ELEMENTS = 2**25  # of one tensor, at most
DTYPES = (("f32", "f32", "f32"), ("f32", "f32", "f32"), ("bf16", "bf16", "f32"), ("u8", "s8", "s32"))


class _Draw:
    def __init__(self, rng: np.random.Generator):
        self.rng = rng

    def size(self, low: int, high: int) -> int:
        """Log-uniform; half of them a multiple of 16, where that is in range."""
        found = int(np.exp(self.rng.uniform(np.log(low), np.log(high + 1))))
        return max(low, found // 16 * 16) if found >= 16 and self.rng.random() < 0.5 else found

    def of(self, items):
        return items[int(self.rng.integers(len(items)))]

    def layout(self, likely: float = 0.25) -> str:
        return "{0,1}" if self.rng.random() < likely else ""


def matmul(draw: _Draw) -> str:
    """Any three sizes."""
    x, y, result = draw.of(DTYPES)
    while True:
        m, n, k = (draw.size(16, 1024) for _ in range(3))
        if 4e4 < m * n * k < MULTIPLY_ADDS:
            return f"matmul({x}[{m},{k}]{draw.layout()}, {y}[{k},{n}]{draw.layout()}) -> {result}[{m},{n}]"


def thin(draw: _Draw) -> str:
    """A few rows against a large matrix."""
    x, y, result = draw.of(DTYPES)
    m, n, k = draw.size(2, 16), draw.size(256, 4096), draw.size(256, 4096)
    return f"matmul({x}[{m},{k}], {y}[{k},{n}]{draw.layout(0.5)}) -> {result}[{m},{n}]"


def matvec(draw: _Draw) -> str:
    """One row."""
    x, y, result = draw.of(DTYPES[1:3])
    n, k = draw.size(64, 8192), draw.size(64, 4096)
    return f"matmul({x}[1,{k}], {y}[{k},{n}]{draw.layout(0.5)}) -> {result}[1,{n}]"


def batched(draw: _Draw) -> str:
    b, m, n, k = draw.size(2, 8), draw.size(8, 256), draw.size(16, 256), draw.size(8, 256)
    return f"matmul(f32[{b},{m},{k}], f32[{b},{k},{n}])"


def moved(draw: _Draw) -> str:
    """A copy, a transpose or a cast."""
    rows = draw.size(16, 4096)
    columns = draw.size(16, max(16, min(4096, ELEMENTS // 8 // rows)))
    name = draw.of(("f32", "bf16"))
    shape = f"[{rows},{columns}]"
    return draw.of((f"copy({name}{shape}) -> {name}{shape}{{0,1}}", f"copy({name}{shape})", f"cast({name}{shape}) -> {'bf16' if name == 'f32' else 'f32'}{shape}"))


def mapped(draw: _Draw) -> str:
    rows = draw.size(1, 2048)
    columns = draw.size(16, max(16, min(8192, ELEMENTS // 8 // rows)))
    x = f"f32[{rows},{columns}]"
    return draw.of((f"exp({x})", f"add({x}, f32[{columns}])", f"mul({x}, {x})", f"gelu({x})"))


def reduced(draw: _Draw) -> str:
    rows = draw.size(4, 4096)
    columns = draw.size(16, max(16, min(8192, ELEMENTS // 4 // rows)))
    return f"{draw.of(('sum', 'max'))}(f32[{rows},{columns}], axis={draw.of((0, 1))})"


KINDS: tuple[tuple[Callable[[_Draw], str], int], ...] = ((matmul, 8), (thin, 3), (matvec, 3), (batched, 1), (moved, 2), (mapped, 2), (reduced, 2))
"""Each kind and how many of it there are in a round of 21 Specs."""


def specs(rng: np.random.Generator, threads: int) -> Iterator[tuple[str, int]]:
    """(text of a Spec, threads) without end: kinds in turns, one thread and `threads` in turns."""
    draw, number = _Draw(rng), 0
    while True:
        kinds = [kind for kind, times in KINDS for _ in range(times)]
        for i in rng.permutation(len(kinds)):
            yield kinds[i](draw), (1, threads)[number % 2]
            number += 1
