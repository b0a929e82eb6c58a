"""Random graphs as text: calls within calls, a result or an input read at several places, over every operation that
composes.

Drawn from the result backwards: a call that gives the wanted type, then what gives its operands.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import prod

import numpy as np
from griotte.lang.types.dtypes import TINY, limits

from .specs import Draw

Shape = tuple[int, ...]
_FLOATS = ("f32", "f32", "f32", "bf16", "f16", "f64")
_INTEGERS = ("s8", "s8", "u8", "u8", "s32", "s32", "s64", "u16", "s16", "u32", "s4", "u64", "u4", "s2", "u2")
_NARROW = ("s8", "u8", "s4")  # whole numbers that stand for floats
_SCALES = ("f32", "f32", "bf16", "f16")  # of which scales are, and what is scaled
_ACTIVATIONS = ("exp", "tanh", "sigmoid", "gelu", "silu", "relu", "neg", "abs", "sqrt", "log")
_LARGEST = 1 << 12  # elements of a tensor
_WHOLE = (
    "matmul",
    "reduction",
    "argmax",
    "softmax",
    "norm",
    "attention",
    "rope",
    "conv2d",
    "pool",
    "over_pixels",
    "requantize",
    "qmatmul",
    "qconv2d",
    "group_matmul",
)  # that are no map, of which chains become one nest
_NESTS = {
    "softmax": 4,
    "norm": 5,
    "attention": 7,
    "residual": 2,
    "matmul": 3,
    "argmax": 4,
    "conv2d": 3,
    "rope": 4,
    "take": 2,
    "batch_norm": 3,
    "qmatmul": 6,
    "qconv2d": 6,
}  # of a call that is several, or is searched like several; of any other 1


def random_graph(rng: np.random.Generator, max_size: int = 40, most: int = 8) -> str:
    """One graph of 1 to `most` nests as text, no size above `max_size`; `parse` takes every one."""
    draw = _DrawGraph(rng, max_size)
    name = draw.of(_FLOATS) if draw.chance(0.75) else draw.of(_INTEGERS)
    shape = draw.shape(1, 3) if draw.chance(0.65) else draw.image()
    return draw.call(shape, name, int(rng.integers(min(2, most), most, endpoint=True)))


def random_outputs(rng: np.random.Generator, max_size: int = 40, most: int = 8) -> str:
    """One graph of two or three outputs as text, of up to `most` nests together; a later one may read an earlier one,
    or what that read."""
    draw = _DrawGraph(rng, max_size)
    name, shape, number = draw.of(_FLOATS), draw.shape(1, 3), int(rng.integers(2, 4))
    calls = []
    for _ in range(number):
        call = draw.call(shape, name, max(1, most // number))
        calls.append(draw.name(call, shape, name) if draw.chance(0.6) else call)
        shape = shape if draw.chance(0.7) else draw.shape(1, 3)
    return f"outputs({', '.join(calls)})"


class _DrawGraph(Draw):
    """`named` are inputs, and results of calls, that may be read again: by dtype and shape, the names."""

    def __init__(self, rng: np.random.Generator, max_size: int) -> None:
        super().__init__(rng, max_size)
        self.named: dict[tuple[str, Shape], list[str]] = {}
        self.names = count()

    def size(self) -> int:
        return min(self.max_size, super().size() if self.chance(0.3) else int(self.rng.integers(1, 20)))

    def shape(self, low: int = 0, high: int = 4) -> Shape:
        return self.small(super().shape(low, high))

    def image(self) -> Shape:
        """n, c, h, w."""
        return self.small((int(self.rng.integers(1, 3)), *(self.size() for _ in range(3))))

    def small(self, shape: Shape) -> Shape:
        while prod(shape) > _LARGEST:
            shape = tuple(-(-s // 2) for s in shape)
        return shape

    def value(self, shape: Shape, name: str, nests: int) -> str:
        """What gives a tensor of this type, of so many nests at most."""
        return self.call(shape, name, nests) if nests > 0 else self.leaf(shape, name)

    def leaf(self, shape: Shape, name: str) -> str:
        """An input, or what has a name."""
        known = self.named.get((name, shape), [])
        if known and self.chance(0.5):
            return self.of(known)
        text = ("const " if self.chance(0.05) else "") + self.type(name, shape)
        return self.name(text, shape, name) if self.chance(0.2) else text

    def name(self, text: str, shape: Shape, name: str) -> str:
        fresh = f"%x{next(self.names)}"
        self.named.setdefault((name, shape), []).append(fresh)
        return f"{fresh}: {text}"

    def call(self, shape: Shape, name: str, nests: int) -> str:
        """A call whose result is of this type, of so many nests at most, but one."""
        kinds = [kind for kind, fits in self.kinds(name).items() if fits(shape) and _nests(kind) <= nests]
        whole = [kind for kind in kinds if kind.__name__ in _WHOLE]
        kind = self.of(whole if whole and self.chance(0.4) else kinds)
        return kind(shape, name, nests - _nests(kind))

    def kinds(self, name: str) -> dict[Callable[[Shape, str, int], str], Callable[[Shape], bool]]:
        anything: Callable[[Shape], bool] = lambda shape: True
        ranked = lambda rank: lambda shape: len(shape) >= rank
        common = {
            self.binary: anything,
            self.reduction: lambda shape: len(shape) < 3,
            self.transpose: ranked(2),
            self.reshape: ranked(2),
            self.broadcasted: ranked(1),
            self.where: anything,
            self.cast: anything,
            self.take: ranked(1),
        }
        image: Callable[[Shape], bool] = lambda shape: len(shape) == 4
        common |= {
            self.slice: ranked(1),
            self.concat: lambda shape: max(shape, default=0) > 1,
            self.pool: image,
            self.over_pixels: lambda shape: len(shape) == 2,
        }
        if name in _NARROW:
            common |= {self.quantize: anything, self.requantize: anything, self.qmatmul: ranked(2), self.qconv2d: image}
        if name not in _FLOATS:
            return common | (
                {self.matmul: ranked(2), self.conv2d: image, self.argmax: lambda shape: len(shape) < 3}
                if name == "s32"
                else {}
            )
        common |= (
            {self.dequantize: anything, self.group_matmul: lambda shape: len(shape) == 2} if name in _SCALES else {}
        )
        return common | {
            self.conv2d: image,
            self.unary: anything,
            self.matmul: ranked(2),
            self.softmax: ranked(1),
            self.norm: ranked(1),
            self.attention: ranked(3),
            self.residual: anything,
            self.rope: lambda shape: len(shape) > 1 and shape[-1] % 2 == 0,
            self.batch_norm: ranked(2),
        }

    def told(self, text: str, shape: Shape, name: str) -> str:
        return f"{text} -> {self.type(name, shape)}"

    def unary(self, shape: Shape, name: str, nests: int) -> str:
        return self.told(f"{self.of(_ACTIVATIONS)}({self.value(shape, name, nests)})", shape, name)

    def binary(self, shape: Shape, name: str, nests: int) -> str:
        left = int(self.rng.integers(nests + 1)) if self.chance(0.3) else nests
        operands = [self.value(shape, name, left), self.value(self.broadcast(shape), name, nests - left)]
        kinds = (
            ("add", "sub", "mul", "maximum", "minimum", "div") if name in _FLOATS else ("add", "sub", "mul", "maximum")
        )
        return self.told(f"{self.of(kinds)}({', '.join(operands)})", shape, name)

    def residual(self, shape: Shape, name: str, nests: int) -> str:
        """x + f(x), where x is computed."""
        inner = self.value(shape, name, nests)
        x = inner if inner.startswith("%") else self.name(inner, shape, name)
        again = x.split(":")[0]
        return self.told(f"{self.of(('add', 'mul', 'sub'))}({x}, {self.of(_ACTIVATIONS)}({again}))", shape, name)

    def where(self, shape: Shape, name: str, nests: int) -> str:
        return self.told(
            f"where({self.type('pred', self.broadcast(shape))}, {self.value(shape, name, nests)},"
            f" {self.leaf(self.broadcast(shape), name)})",
            shape,
            name,
        )

    def cast(self, shape: Shape, name: str, nests: int) -> str:
        if self.chance(0.2):
            return self.told(f"cast({self.leaf(shape, self.of(TINY))})", shape, name)
        return self.told(
            f"cast({self.value(shape, self.of(_FLOATS) if self.chance(0.7) else self.of(_INTEGERS), nests)})",
            shape,
            name,
        )

    def transpose(self, shape: Shape, name: str, nests: int) -> str:
        perm = tuple(int(p) for p in self.rng.permutation(len(shape)))
        before = tuple(shape[perm.index(axis)] for axis in range(len(shape)))
        return self.told(
            f"transpose({self.value(before, name, nests)}, perm=({','.join(map(str, perm))}))", shape, name
        )

    def before(self, shape: Shape) -> tuple[Shape, int]:
        """A shape of which `shape` is left once one of its axes is reduced over, and that axis."""
        axis = int(self.rng.integers(len(shape) + 1))
        size = self.small((*shape[:axis], self.size(), *shape[axis:]))[axis]
        return (*shape[:axis], size, *shape[axis:]), axis

    def argmax(self, shape: Shape, name: str, nests: int) -> str:
        before, axis = self.before(shape)
        return self.told(
            f"argmax({self.value(before, self.of((*_FLOATS, *_INTEGERS)), nests)}, axis={axis})", shape, name
        )

    def reshape(self, shape: Shape, name: str, nests: int) -> str:
        """Of a tensor with two neighbouring axes as one."""
        axis = int(self.rng.integers(len(shape) - 1))
        return self.told(
            f"reshape({self.value((*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :]), name, nests)})",
            shape,
            name,
        )

    def broadcasted(self, shape: Shape, name: str, nests: int) -> str:
        return self.told(f"broadcast({self.value(self.broadcast(shape), name, nests)})", shape, name)

    def reduction(self, shape: Shape, name: str, nests: int) -> str:
        before, axis = self.before(shape)
        kinds = ("sum", "max", "min", "mean") if name in _FLOATS else ("sum", "max", "min")
        return self.told(f"{self.of(kinds)}({self.value(before, name, nests)}, axis={axis})", shape, name)

    def matmul(self, shape: Shape, name: str, nests: int) -> str:
        *batch, m, n = shape
        k = self.size()
        left, right = ("u8" if self.chance(0.5) else "s8", "s8") if name == "s32" else (name, name)
        a, b = (*(batch if self.chance(0.5) else ()), m, k), (*batch, k, n)
        if self.chance(0.5):
            return self.told(f"matmul({self.value(a, left, nests)}, {self.leaf(b, right)})", shape, name)
        return self.told(f"matmul({self.leaf((*batch, m, k), left)}, {self.value(b, right, nests)})", shape, name)

    def slid(self, size: int, deepest: int) -> tuple[int, int, int, int, int]:
        """(elements, window, stride, padding, dilation) of an axis along which windows have so many places; each
        reaches an element with at least its middle, and pads by `deepest` at most."""
        for _ in range(8):
            window, stride = int(self.rng.integers(1, 4)), int(self.rng.integers(1, 4)) if self.chance(0.5) else 1
            padding, dilation = (
                int(self.rng.integers(min(deepest, window // 2) + 1)),
                (2 if window > 1 and self.chance(0.15) else 1),
            )
            extent = (
                (size - 1) * stride
                + (window - 1) * dilation
                + 1
                - 2 * padding
                + (int(self.rng.integers(stride)) if self.chance(0.5) else 0)
            )
            if 0 < extent <= self.max_size:
                return extent, window, stride, padding, dilation
        return size, 1, 1, 0, 1

    def conv2d(self, shape: Shape, name: str, nests: int) -> str:
        of_x, of_windows, numbers = self.windows(shape)
        left, right = ("u8" if self.chance(0.5) else "s8", "s8") if name == "s32" else (name, name)
        return self.told(
            f"conv2d({self.value(of_x, left, nests)}, {self.leaf(of_windows, right)}, {numbers})", shape, name
        )

    def windows(self, shape: Shape) -> tuple[Shape, Shape, str]:
        """Shapes of what a convolution of this result takes, and its numbers."""
        n, o, *places = shape
        (h, i, *rows), (w, j, *columns) = (self.slid(size, 2) for size in places)
        groups = self.of([g for g in range(1, o + 1) if o % g == 0]) if self.chance(0.3) else 1
        channels = int(self.rng.integers(1, min(self.max_size // groups, 6) + 1))
        numbers = ", ".join(f"{key}=({a},{b})" for key, a, b in zip(("stride", "padding", "dilation"), rows, columns))
        return (n, groups * channels, h, w), (o, channels, i, j), f"{numbers}, groups={groups}"

    def pool(self, shape: Shape, name: str, nests: int) -> str:
        (h, i, s, p, d), (w, j, t, q, e) = (self.slid(size, 1) for size in shape[2:])
        if d > 1 or e > 1:  # of which pooling knows nothing
            return self.pool(shape, name, nests)
        kind = self.of(("max_pool2d", "avg_pool2d")) if name in _FLOATS else "max_pool2d"
        return self.told(
            f"{kind}({self.value((*shape[:2], h, w), name, nests)}, window=({i},{j}), stride=({s},{t}),"
            f" padding=({p},{q}))",
            shape,
            name,
        )

    def over_pixels(self, shape: Shape, name: str, nests: int) -> str:
        before = self.small((*shape, self.size(), self.size()))
        kinds = ("sum", "max", "mean") if name in _FLOATS else ("sum", "max")
        return self.told(f"{self.of(kinds)}({self.value((*shape, *before[2:]), name, nests)}, axis=(2,3))", shape, name)

    def slice(self, shape: Shape, name: str, nests: int) -> str:
        room = [max(0, min(2, self.max_size - n)) if self.chance(0.5) else 0 for n in shape]
        before = [int(self.rng.integers(n + 1)) for n in room]
        after = [n - a for n, a in zip(room, before)]
        starts, limits = ",".join(map(str, before)), ",".join(str(a + n) for a, n in zip(before, shape))
        whole = tuple(a + n + b for a, n, b in zip(before, shape, after))
        return self.told(f"slice({self.value(whole, name, nests)}, starts=({starts}), limits=({limits}))", shape, name)

    def concat(self, shape: Shape, name: str, nests: int) -> str:
        axis = self.of([axis for axis, size in enumerate(shape) if size > 1])
        first = int(self.rng.integers(1, shape[axis]))
        one, other = ((*shape[:axis], n, *shape[axis + 1 :]) for n in (first, shape[axis] - first))
        left = int(self.rng.integers(nests + 1))
        return self.told(
            f"concat({self.value(one, name, left)}, {self.value(other, name, nests - left)}, axis={axis})", shape, name
        )

    def softmax(self, shape: Shape, name: str, nests: int) -> str:
        axis = -1 if self.chance(0.7) else int(self.rng.integers(len(shape)))
        return self.told(
            f"{self.of(('softmax', 'softmax', 'log_softmax'))}({self.value(shape, name, nests)}, axis={axis})",
            shape,
            name,
        )

    def norm(self, shape: Shape, name: str, nests: int) -> str:
        x, last = self.value(shape, name, nests), shape[-1:]
        if self.chance(0.5):
            return self.told(f"rms_norm({x}, {self.leaf(last, name)})", shape, name)
        return self.told(f"layer_norm({x}, {self.leaf(last, name)}, {self.leaf(last, name)})", shape, name)

    def attention(self, shape: Shape, name: str, nests: int) -> str:
        *front, h, s, e = shape
        t, d = self.size(), self.size()
        heads = self.of([n for n in range(1, h + 1) if h % n == 0])
        causal = ", causal=true" if self.chance(0.4) else ""
        q, k, v = (
            self.value((*front, h, s, d), name, nests),
            self.leaf((*front, heads, t, d), name),
            self.leaf((*front, heads, t, e), name),
        )
        mask = (
            f", mask={self.type(self.of(('pred', name)), self.broadcast((*front, h, s, t)))}"
            if self.chance(0.5)
            else ""
        )
        return self.told(f"attention({q}, {k}, {v}{causal}{mask})", shape, name)

    def rope(self, shape: Shape, name: str, nests: int) -> str:
        angles = shape[-2], shape[-1] // 2
        x = self.value(shape, name, nests)
        return self.told(
            f"rope({x}, {self.leaf(angles, name)}, {self.leaf(angles, name)}{', interleaved=true' * self.chance(0.3)})",
            shape,
            name,
        )

    def take(self, shape: Shape, name: str, nests: int) -> str:
        """Of rows that are given, or computed."""
        count = int(self.rng.integers(1, len(shape), endpoint=True))
        x = self.value((self.small((self.size(), *shape[count:]))[0], *shape[count:]), name, nests)
        return self.told(f"take({x}, {self.type(self.of(('s32', 's64')), shape[:count])})", shape, name)

    def batch_norm(self, shape: Shape, name: str, nests: int) -> str:
        operands = [self.value(shape, name, nests), *(self.leaf(shape[1:2], name) for _ in range(4))]
        return self.told(f"batch_norm({', '.join(operands)})", shape, name)

    # ---- quantised: whole numbers of few bits, with scales and zeros -------------------------------------------------

    def scaled(self, text: str, shape: Shape, name: str) -> str:
        """`text`, with a scale and a zero of this dtype: one for all of the shape, or for each row or column."""
        return f"{text}, {self.leaf(self.broadcast(shape), self.of(_SCALES))}, {self.zero(self.broadcast(shape), name)}"

    def zero(self, shape: Shape, name: str) -> str:
        """A zero of this dtype: an input, or a number, often 0."""
        if self.chance(0.7):
            return self.leaf(shape, name)
        return str(0 if self.chance(0.5) else int(self.rng.integers(*limits(name), endpoint=True)))

    def weights(self, shape: Shape, name: str) -> str:
        """The second operand of a product: an input, often a constant."""
        return f"const {self.type(name, shape)}" if self.chance(0.4) else self.leaf(shape, name)

    def quantize(self, shape: Shape, name: str, nests: int) -> str:
        return self.told(
            f"quantize({self.scaled(self.value(shape, self.of(_SCALES), nests), shape, name)})", shape, name
        )

    def dequantize(self, shape: Shape, name: str, nests: int) -> str:
        narrow = self.of(_NARROW)
        return self.told(f"dequantize({self.scaled(self.value(shape, narrow, nests), shape, narrow)})", shape, name)

    def requantize(self, shape: Shape, name: str, nests: int) -> str:
        return self.told(f"requantize({self.scaled(self.value(shape, 's32', nests), shape, name)})", shape, name)

    def qmatmul(self, shape: Shape, name: str, nests: int) -> str:
        *batch, m, n = shape
        k, left, right = self.size(), self.of(_NARROW), self.of(_NARROW)
        a = self.scaled(self.value((*batch, m, k), left, nests), (), left)
        b = self.scaled(self.weights((*batch, k, n), right), (n,), right)
        return self.told(f"qmatmul({self.scaled(f'{a}, {b}', (), name)})", shape, name)

    def qconv2d(self, shape: Shape, name: str, nests: int) -> str:
        (of_x, of_windows, numbers), left, right = self.windows(shape), self.of(_NARROW), self.of(_NARROW)
        w_scale = self.leaf(of_windows[:1] if self.chance(0.5) else (), self.of(_SCALES))
        x, w = (
            self.scaled(self.value(of_x, left, nests), (), left),
            f"{self.weights(of_windows, right)}, {w_scale}, {self.zero((), right)}",
        )
        bias = f", bias={self.leaf(of_windows[:1], 's32')}" if self.chance(0.5) else ""
        return self.told(f"qconv2d({self.scaled(f'{x}, {w}', (), name)}, {numbers}{bias})", shape, name)

    def group_matmul(self, shape: Shape, name: str, nests: int) -> str:
        m, n = shape
        size = min(self.max_size, self.of((8, 16, 32)) if self.chance(0.5) else self.size())
        groups = int(self.rng.integers(1, min(3, self.max_size // size) + 1))
        rounds = nests > 2 and self.chance(0.4)
        x, constant = self.value((m, groups * size), name, nests - 3 * rounds), "const " if self.chance(0.6) else ""
        w, scales = (
            constant + self.type(self.of(names), axes)
            for names, axes in ((("s4", *_NARROW), (n, groups, size)), (_SCALES, (n, groups)))
        )
        return self.told(f"group_matmul({x}, {w}, {scales}{', activations=s8' * rounds})", shape, name)


def _nests(kind: Callable) -> int:
    return _NESTS.get(kind.__name__, 1)
