"""Random Specs as text, over every operation, dtype and layout that is supported: what tests and benchmarks draw from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..spec.dtypes import DTYPES, dtype

_MATMULS = (
    ("f32", "f32", "f32"),
    ("f64", "f64", "f64"),
    ("bf16", "bf16", "f32"),
    ("bf16", "f32", "f32"),
    ("f32", "bf16", "f32"),
    ("bf16", "bf16", "bf16"),
    ("f16", "f16", "f16"),
    ("f16", "f16", "f32"),
    ("u8", "s8", "s32"),
    ("s8", "s8", "s32"),
    ("u8", "s8", "s16"),
    ("s16", "s16", "s32"),
    ("s32", "s32", "s32"),
)
_FLOATS = ("f32", "f32", "bf16", "f16", "f64")
_ARITHMETIC = (*_FLOATS, "s8", "u8", "s16", "u16", "s32", "u32", "s64")
_FUNCTIONS = ("exp", "log", "sqrt", "rsqrt", "tanh", "sigmoid", "gelu", "silu")
_SIZES = (1, 2, 3, 4, 7, 8, 13, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 129, 192, 255, 256)
_LARGEST = 1 << 21  # elements of a map's operand


def random_spec(rng: np.random.Generator, max_size: int = 300) -> str:
    """One Spec as text, no size above `max_size`; `parse` takes every one."""
    draw = rng.choice(7, p=(0.34, 0.14, 0.14, 0.16, 0.04, 0.14, 0.04))
    return (_matmul, _moved, _unary, _binary, _where, _reduction, _nested)[draw](_Draw(rng, max_size))


class _Draw:
    """The generator with the choices that all Specs are made of."""

    def __init__(self, rng: np.random.Generator, max_size: int) -> None:
        self.rng = rng
        self.max_size = max_size

    def of(self, items):
        return items[self.rng.integers(len(items))]

    def chance(self, probability: float) -> bool:
        return bool(self.rng.random() < probability)

    def size(self) -> int:
        """Half of them near a vector's length, half anything."""
        if self.chance(0.5):
            return min(self.max_size, self.of(_SIZES))
        return int(self.rng.integers(1, self.max_size, endpoint=True))

    def shape(self, low: int = 0, high: int = 4) -> tuple[int, ...]:
        shape = tuple(self.size() for _ in range(self.rng.integers(low, high, endpoint=True)))
        while np.prod(shape, dtype=np.float64) > _LARGEST:
            shape = tuple(-(-s // 2) for s in shape)
        return shape

    def type(self, name: str, shape: tuple[int, ...]) -> str:
        """Half of them row-major, half in any layout."""
        sizes = f"{name}[{','.join(map(str, shape))}]"
        if len(shape) < 2 or self.chance(0.5):
            return sizes
        return f"{sizes}{{{','.join(map(str, self.rng.permutation(len(shape))))}}}"

    def broadcast(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """A shape that broadcasts to `shape`."""
        if self.chance(0.5):
            return shape
        return tuple(1 if self.chance(0.3) else s for s in shape[self.rng.integers(len(shape) + 1) :])


def _matmul(draw: _Draw) -> str:
    left, right, result = draw.of(_MATMULS)
    m, n, k = (draw.size() for _ in range(3))
    batch = tuple(int(b) for b in draw.rng.integers(1, 5, draw.rng.integers(0, 3))) if draw.chance(0.3) else ()
    constant = "const " if draw.chance(0.1) else ""
    a, b = (*draw.broadcast(batch), m, k), (*batch, k, n)
    return f"matmul({draw.type(left, a)}, {constant}{draw.type(right, b)}) -> {draw.type(result, (*batch, m, n))}"


def _moved(draw: _Draw) -> str:
    """A copy, transpose or cast."""
    shape, source = draw.shape(), draw.of(tuple(DTYPES))
    if draw.chance(0.4):
        return f"cast({draw.type(source, shape)}) -> {draw.type(draw.of(tuple(DTYPES)), shape)}"
    if not shape or draw.chance(0.4):
        return f"copy({draw.type(source, shape)}) -> {draw.type(source, shape)}"
    perm = tuple(int(p) for p in draw.rng.permutation(len(shape)))
    return f"transpose({draw.type(source, shape)}, perm=({','.join(map(str, perm))})) -> {draw.type(source, tuple(shape[p] for p in perm))}"


def _unary(draw: _Draw) -> str:
    shape = draw.shape()
    if draw.chance(0.3):
        name = draw.of(_ARITHMETIC)
        return f"{draw.of(('neg', 'abs', 'relu'))}({draw.type(name, shape)}) -> {draw.type(name, shape)}"
    name, function = draw.of(_FLOATS), draw.of(_FUNCTIONS)
    attributes = ", approximate=tanh" if function == "gelu" and draw.chance(0.5) else ""
    return f"{function}({draw.type(name, shape)}{attributes}) -> {draw.type(_result(draw, name), shape)}"


def _binary(draw: _Draw) -> str:
    shape, name = draw.shape(), draw.of(_ARITHMETIC)
    operands = [draw.type(name, shape), draw.type(name, draw.broadcast(shape))]
    if draw.chance(0.5):
        operands.reverse()
    function = draw.of(("add", "sub", "mul", "div", "maximum", "minimum"))
    return f"{function}({', '.join(operands)}) -> {draw.type(_result(draw, name), shape)}"


def _where(draw: _Draw) -> str:
    shape, name = draw.shape(), draw.of(_ARITHMETIC)
    return f"where({draw.type('pred', draw.broadcast(shape))}, {draw.type(name, shape)}, {draw.type(name, draw.broadcast(shape))}) -> {draw.type(name, shape)}"


def _reduction(draw: _Draw) -> str:
    shape, name = draw.shape(1), draw.of(_ARITHMETIC)
    axes = tuple(sorted(int(a) for a in draw.rng.permutation(len(shape))[: draw.rng.integers(1, len(shape), endpoint=True)]))
    keepdims = draw.chance(0.2)
    result = tuple(1 if j in axes else s for j, s in enumerate(shape) if keepdims or j not in axes)
    attributes = f", axis=({','.join(map(str, axes))})" + (", keepdims=true" if keepdims else "")
    return f"{draw.of(('sum', 'max', 'min'))}({draw.type(name, shape)}{attributes}) -> {draw.type(_result(draw, name), result)}"


def _nested(draw: _Draw) -> str:
    shape, name = draw.shape(), draw.of(("f32", "f64"))
    x, y = draw.type(name, shape), draw.type(name, draw.broadcast(shape))
    forms: tuple[Callable[[], str], ...] = (
        lambda: f"mul(%x: {x}, sigmoid(%x))",
        lambda: f"add(mul({x}, {y}), {x})",
        lambda: f"exp(sub({x}, {y}))",
        lambda: f"relu(add({x}, {y})) -> {draw.type('bf16', shape)}",
    )
    return draw.of(forms)()


def _result(draw: _Draw, name: str) -> str:
    """Mostly the dtype itself, else a wider one of its kind."""
    kind = dtype(name).kind
    wider = [n for n, row in DTYPES.items() if row.kind == kind and row.bits > dtype(name).bits]
    return draw.of(wider) if wider and draw.chance(0.25) else name
