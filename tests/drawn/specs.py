"""Random Specs as text, over every operation, dtype and layout that is supported."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from griotte.lang.constructors.forms import form_of
from griotte.lang.functions import COMBINERS, FUNCTIONS
from griotte.lang.types.dtypes import DTYPES, dtype

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
_ARITHMETIC = (*_FLOATS, "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64")
_FUNCTIONS = ("exp", "log", "sqrt", "rsqrt", "tanh", "erf", "sigmoid", "gelu", "silu", "round")
_OF_INTEGERS = ("neg", "abs", "relu")
_SIZES = (1, 2, 3, 4, 7, 8, 13, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 96, 100, 127, 128, 129, 192, 255, 256)
_LARGEST = 1 << 21  # elements of a map's operand


def random_spec(rng: np.random.Generator, max_size: int = 300) -> str:
    """One Spec as text, no size above `max_size`; `parse` takes every one."""
    draw = rng.choice(12, p=(0.28, 0.12, 0.1, 0.11, 0.04, 0.12, 0.04, 0.08, 0.03, 0.02, 0.03, 0.03))
    return (_matmul, _moved, _unary, _binary, _where, _reduction, _nested, _conv2d, _pool2d, _slice, _concat, _take)[
        draw
    ](Draw(rng, max_size))


class Draw:
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


def _matmul(draw: Draw) -> str:
    left, right, result = draw.of(_MATMULS)
    m, n, k = (draw.size() for _ in range(3))
    batch = tuple(int(b) for b in draw.rng.integers(1, 5, draw.rng.integers(0, 3))) if draw.chance(0.3) else ()
    constant = "const " if draw.chance(0.1) else ""
    a, b = (*draw.broadcast(batch), m, k), (*batch, k, n)
    return f"matmul({draw.type(left, a)}, {constant}{draw.type(right, b)}) -> {draw.type(result, (*batch, m, n))}"


def _moved(draw: Draw) -> str:
    """A copy, transpose or cast."""
    shape, source = draw.shape(), draw.of(tuple(DTYPES))
    if draw.chance(0.4):
        return f"cast({draw.type(source, shape)}) -> {draw.type(draw.of(tuple(DTYPES)), shape)}"
    if not shape or draw.chance(0.4):
        return f"copy({draw.type(source, shape)}) -> {draw.type(source, shape)}"
    perm = tuple(int(p) for p in draw.rng.permutation(len(shape)))
    return (
        f"transpose({draw.type(source, shape)}, perm=({','.join(map(str, perm))})) ->"
        f" {draw.type(source, tuple(shape[p] for p in perm))}"
    )


def _unary(draw: Draw) -> str:
    shape = draw.shape()
    if draw.chance(0.3):
        name = draw.of(_ARITHMETIC)
        return f"{draw.of(_OF_INTEGERS)}({draw.type(name, shape)}) -> {draw.type(name, shape)}"
    name, function = draw.of(_FLOATS), draw.of(_declared(1, _FUNCTIONS))
    attributes = ", approximate=tanh" if function == "gelu" and draw.chance(0.5) else ""
    return f"{function}({draw.type(name, shape)}{attributes}) -> {draw.type(_result(draw, name), shape)}"


def _declared(arguments: int, first: tuple[str, ...], of: str = "f32") -> tuple[str, ...]:
    """Functions of a dtype that are declared, after these: what a seed draws stays as it was."""
    called = (f for f in FUNCTIONS.values() if f.helper and form_of(f.name) and len(f.arguments) == arguments)
    fitting = (f for f in called if not (f.integers_only if of in _FLOATS else f.floats_only))
    others = tuple(f.name for f in fitting if f.name not in (*first, *_OF_INTEGERS))
    return (*first, *others)


def _binary(draw: Draw) -> str:
    shape, name = draw.shape(), draw.of(_ARITHMETIC)
    operands = [draw.type(name, shape), draw.type(name, draw.broadcast(shape))]
    if draw.chance(0.5):
        operands.reverse()
    function = draw.of(_declared(2, ("add", "sub", "mul", "div", "maximum", "minimum"), name))
    return f"{function}({', '.join(operands)}) -> {draw.type(_result(draw, name), shape)}"


def _where(draw: Draw) -> str:
    shape, name = draw.shape(), draw.of(_ARITHMETIC)
    return (
        f"where({draw.type('pred', draw.broadcast(shape))}, {draw.type(name, shape)},"
        f" {draw.type(name, draw.broadcast(shape))}) -> {draw.type(name, shape)}"
    )


def _reduction(draw: Draw) -> str:
    shape, name = draw.shape(1), draw.of(_ARITHMETIC)
    axes = tuple(
        sorted(int(a) for a in draw.rng.permutation(len(shape))[: draw.rng.integers(1, len(shape), endpoint=True)])
    )
    keepdims = draw.chance(0.2)
    result = tuple(1 if j in axes else s for j, s in enumerate(shape) if keepdims or j not in axes)
    attributes = f", axis=({','.join(map(str, axes))})" + (", keepdims=true" if keepdims else "")
    kinds = tuple(dict.fromkeys(("sum", "max", "min", *(c.call for c in COMBINERS.values() if c.call))))
    kinds += ("mean",) * (name in _FLOATS)
    return f"{draw.of(kinds)}({draw.type(name, shape)}{attributes}) -> {draw.type(_result(draw, name), result)}"


def _nested(draw: Draw) -> str:
    shape, name = draw.shape(), draw.of(("f32", "f64"))
    x, y = draw.type(name, shape), draw.type(name, draw.broadcast(shape))
    forms: tuple[Callable[[], str], ...] = (
        lambda: f"mul(%x: {x}, sigmoid(%x))",
        lambda: f"add(mul({x}, {y}), {x})",
        lambda: f"exp(sub({x}, {y}))",
        lambda: f"relu(add({x}, {y})) -> {draw.type('bf16', shape)}",
    )
    return draw.of(forms)()


def _image(draw: Draw, channels: int) -> tuple[int, ...]:
    return (
        int(draw.rng.integers(1, min(2, draw.max_size), endpoint=True)),
        channels,
        *(int(n) for n in draw.rng.integers(1, max(1, min(20, draw.max_size - 1)), 2, endpoint=True)),
    )


def _windows(draw: Draw, image: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """(window, padding, stride) along h and w: of at most 4, within the image and its padding."""
    window = tuple(int(draw.rng.integers(1, min(4, n), endpoint=True)) for n in image[2:])
    return (
        window,
        tuple(int(draw.rng.integers(0, k // 2, endpoint=True)) for k in window),
        tuple(int(s) for s in draw.rng.integers(1, 3, 2, endpoint=True)),
    )


def _pair(values) -> str:
    return f"({','.join(map(str, values))})"


def _places(image, window, padding, stride, dilation=(1, 1)) -> tuple[int, ...]:
    return tuple(
        (n + 2 * p - (k - 1) * d - 1) // s + 1 for n, k, p, s, d in zip(image[2:], window, padding, stride, dilation)
    )


def _conv2d(draw: Draw) -> str:
    left, right, result = draw.of(_MATMULS)
    groups = draw.of((1, 1, 2, 3)) if draw.max_size >= 3 else 1
    channels, kernels = (
        int(draw.rng.integers(1, max(1, min(20, draw.max_size) // groups), endpoint=True)) for _ in range(2)
    )
    image = _image(draw, groups * channels)
    window, padding, stride = _windows(draw, image)
    dilation = tuple(
        int(draw.rng.integers(1, 2, endpoint=True)) if 2 * (k - 1) < n + 2 * p else 1
        for k, n, p in zip(window, image[2:], padding)
    )
    shape = (image[0], groups * kernels, *_places(image, window, padding, stride, dilation))
    constant = "const " if draw.chance(0.5) else ""
    numbers = f"stride={_pair(stride)}, padding={_pair(padding)}, dilation={_pair(dilation)}, groups={groups}"
    return (
        f"conv2d({draw.type(left, image)}, {constant}{draw.type(right, (groups * kernels, channels, *window))},"
        f" {numbers}) -> {draw.type(result, shape)}"
    )


def _pool2d(draw: Draw) -> str:
    verb = draw.of(("max_pool2d", "avg_pool2d"))
    name, image = draw.of(_ARITHMETIC if verb == "max_pool2d" else _FLOATS), _image(draw, min(7, draw.max_size))
    window, padding, stride = _windows(draw, image)
    numbers = f"window={_pair(window)}, stride={_pair(stride)}, padding={_pair(padding)}"
    return (
        f"{verb}({draw.type(name, image)}, {numbers}) ->"
        f" {draw.type(name, (*image[:2], *_places(image, window, padding, stride)))}"
    )


def _slice(draw: Draw) -> str:
    shape, name = draw.shape(1), draw.of(tuple(DTYPES))
    starts = tuple(int(draw.rng.integers(0, n)) for n in shape)
    limits = tuple(int(draw.rng.integers(a + 1, n, endpoint=True)) for a, n in zip(starts, shape))
    ends = "".join(
        f", {word}=({','.join(map(str, numbers))},)" for word, numbers in (("starts", starts), ("limits", limits))
    )
    return f"slice({draw.type(name, shape)}{ends}) -> {draw.type(name, tuple(b - a for a, b in zip(starts, limits)))}"


def _concat(draw: Draw) -> str:
    shape, name = draw.shape(1), draw.of(_ARITHMETIC)
    axis = int(draw.rng.integers(len(shape)))
    other = tuple(draw.size() if j == axis else n for j, n in enumerate(shape))
    while np.prod(other, dtype=np.float64) > _LARGEST:
        other = tuple(-(-n // 2) if j == axis else n for j, n in enumerate(other))
    if shape[axis] + other[axis] > draw.max_size:
        return _slice(draw)
    return (
        f"concat({draw.type(name, shape)}, {draw.type(name, other)}, axis={axis}) ->"
        f" {draw.type(name, tuple(n + other[axis] if j == axis else n for j, n in enumerate(shape)))}"
    )


def _take(draw: Draw) -> str:
    index, name = draw.shape(0, 2), draw.of(tuple(DTYPES))
    inner = draw.shape(0, 2)
    while np.prod((*index, *inner), dtype=np.float64) > _LARGEST:
        index, inner = tuple(-(-s // 2) for s in index), tuple(-(-s // 2) for s in inner)
    return (
        f"take({draw.type(name, (draw.size(), *inner))}, {draw.type(draw.of(('s32', 's64', 'u8', 's16')), index)}) ->"
        f" {draw.type(name, (*index, *inner))}"
    )


def _result(draw: Draw, name: str) -> str:
    """Mostly the dtype itself, else a wider one of its kind."""
    kind = dtype(name).kind
    wider = [n for n, row in DTYPES.items() if row.kind == kind and row.bits > dtype(name).bits]
    return draw.of(wider) if wider and draw.chance(0.25) else name
