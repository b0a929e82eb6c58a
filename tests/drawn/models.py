"""Random models: calls of every kind, one after the other, over images, matrices and whole numbers.

A model is drawn forwards. What is discontinuous (rounding, comparisons, the place of the largest) is asked of inputs,
whose values are exact; what has a limited range, or grows fast, is given what lies in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import griotte as gt
import numpy as np
from griotte.models.custom.arrays import array_call
from griotte.models.graph import GraphBuilder, ModelGraph, ModelValue
from griotte.models.loops import LoopBuilder

Drawn = ModelValue | None
SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24)
LARGEST = 4096  # elements


class Drawing:
    """A model that is being drawn."""

    def __init__(self, rng: np.random.Generator):
        self.rng, self.builder = rng, GraphBuilder()
        self.call = self.builder.call

    def of(self, some):
        return some[int(self.rng.integers(len(some)))]

    def size(self) -> int:
        return self.of(SIZES)

    def given(self, *shape: int, dtype: str = "f32") -> ModelValue:
        return self.builder.input(gt.tensor(shape, dtype), f"x{len(self.builder.inputs)}")

    def known(self, *shape: int, low: float = -1.0, high: float = 1.0, dtype: str = "f32") -> ModelValue:
        drawn = self.rng.uniform(low, high, shape)
        return self.builder.constant(drawn.astype(np.float32) if dtype == "f32" else np.rint(drawn).astype(dtype))

    def above(self, x: ModelValue, least: float) -> ModelValue:
        return self.call("add", self.call("abs", x), least)

    def exact(self, x: ModelValue) -> ModelValue:
        """An input like x."""
        return self.given(*x.type.shape)

    def axis(self, x: ModelValue) -> int:
        return int(self.rng.integers(x.type.rank))


def _is_image(x: ModelValue) -> bool:
    return x.type.rank == 4


def _map(name: str, **attributes: float) -> Callable[[Drawing, ModelValue], Drawn]:
    return lambda d, x: d.call(name, x, **attributes)


def _within(name: str, factor: float = 1.0) -> Callable[[Drawing, ModelValue], Drawn]:
    return lambda d, x: d.call(name, d.call("mul", d.call("tanh", x), factor))


def _above(name: str, least: float) -> Callable[[Drawing, ModelValue], Drawn]:
    return lambda d, x: d.call(name, d.above(x, least))


def _step(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    return lambda d, x: d.call("add", x, d.call(name, d.exact(x)))


def _of_two(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    return lambda d, x: d.call(name, x, d.of((d.exact(x), d.known(x.type.shape[-1]), d.call("tanh", x))))


def _compared(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    return lambda d, x: d.call("where", d.call(name, d.exact(x), d.exact(x)), x, d.call("neg", x))


def _logical(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    def made(d: Drawing, x: ModelValue) -> Drawn:
        asked = [d.call("less", d.exact(x), 0.5), d.call("greater", d.exact(x), -0.5)]
        return d.call("where", d.call(name, *asked[: 1 if name == "logical_not" else 2]), x, 0.25)

    return made


def _remainder(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    return lambda d, x: d.call("add", x, d.call(name, d.exact(x), d.known(x.type.shape[-1], low=0.5, high=2.0)))


def _of_bits(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    def made(d: Drawing, x: ModelValue) -> Drawn:
        bits = d.call(name, d.given(*x.type.shape, dtype="s32"), d.given(*x.type.shape, dtype="s32"))
        few = d.call("bitwise_and", bits, d.builder.constant(np.int32(7)))
        return d.call("add", x, d.call("cast", few, dtype="f32"))

    return made


def _over(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    def made(d: Drawing, x: ModelValue) -> Drawn:
        read = d.call("tanh", x) if name == "prod" else x
        return d.call("sub", x, d.call(name, read, axis=d.axis(x), keepdims=True))

    return made


def _largest_at(d: Drawing, x: ModelValue) -> Drawn:
    at = d.call("argmax", d.exact(x), axis=d.axis(x), keepdims=True)
    return d.call("add", x, d.call("cast", at, dtype="f32"))


def _normed(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    def made(d: Drawing, x: ModelValue) -> Drawn:
        row = d.known(x.type.shape[-1], low=0.5)
        return d.call(name, x, *((row,) if name == "rms_norm" else (row, d.known(x.type.shape[-1]))), epsilon=1e-2)

    return made


def _of_images(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    def made(d: Drawing, x: ModelValue) -> Drawn:
        if not _is_image(x):
            return None
        c = x.type.shape[1]
        rows = d.known(c, low=0.5), d.known(c)
        if name == "lrn":
            return d.call("lrn", x, size=d.of((1, 3, 5)), alpha=0.1, beta=0.75, bias=1.0)
        if name == "batch_norm":
            return d.call("batch_norm", x, *rows, d.known(c), d.known(c, low=0.5), epsilon=1e-2)
        if name == "group_norm":
            groups = d.of([g for g in (1, 2, 3, 4, c) if c % g == 0])
            return d.call("group_norm", x, groups, *rows, epsilon=1e-2)
        return d.call("instance_norm", x, *rows, epsilon=1e-2)

    return made


def _matmul(d: Drawing, x: ModelValue) -> Drawn:
    if x.type.rank < 2:
        return None
    k, n = x.type.shape[-1], d.size()
    return d.call("matmul", x, d.of((d.known(k, n, low=-0.5, high=0.5), d.given(k, n))))


def _group_matmul(d: Drawing, x: ModelValue) -> Drawn:
    if x.type.rank < 2 or x.type.shape[-1] % 8:
        return None
    n, k = d.size(), x.type.shape[-1]
    weights = d.known(n, k // 8, 8, low=-7, high=7, dtype="int8")
    return d.call("group_matmul", x, weights, d.known(n, k // 8, low=0.01, high=0.1))


def _conv2d(d: Drawing, x: ModelValue) -> Drawn:
    if not _is_image(x):
        return None
    c, window, stride = x.type.shape[1], d.of((1, 3, 5)), d.of((1, 1, 2))
    groups = c if d.rng.random() < 0.3 else 1
    out = c if groups > 1 else d.size()
    weights = d.known(out, c // groups, window, window, low=-0.5, high=0.5)
    return d.call("conv2d", x, weights, stride=stride, padding=window // 2, groups=groups)


def _conv_transpose2d(d: Drawing, x: ModelValue) -> Drawn:
    if not _is_image(x):
        return None
    return d.call("conv_transpose2d", x, d.known(x.type.shape[1], d.of((1, 3, 8)), 2, 2), stride=2)


def _pooled(name: str) -> Callable[[Drawing, ModelValue], Drawn]:
    def made(d: Drawing, x: ModelValue) -> Drawn:
        if not _is_image(x) or min(x.type.shape[2:]) < 3:
            return None
        window = d.of((2, 3))
        return d.call(name, x, window=window, stride=d.of((1, 2)), padding=d.of((0, window // 2)))

    return made


def _attention(d: Drawing, x: ModelValue) -> Drawn:
    if x.type.rank < 3 or x.type.shape[-1] > 32:
        return None
    return d.call("attention", x, d.exact(x), d.exact(x), causal=bool(d.rng.integers(2)))


def _rope(d: Drawing, x: ModelValue) -> Drawn:
    if x.type.rank < 2 or x.type.shape[-1] % 2:
        return None
    rows, half = x.type.shape[-2], x.type.shape[-1] // 2
    return d.call("rope", x, d.known(rows, half), d.known(rows, half), interleaved=bool(d.rng.integers(2)))


def _reshape(d: Drawing, x: ModelValue) -> Drawn:
    *front, last = x.type.shape
    if last % 2 == 0 and x.type.rank < 4:
        return d.call("reshape", x, shape=(*front, last // 2, 2))
    return d.call("reshape", x, shape=(x.type.shape[0], x.type.elements // x.type.shape[0]))


def _transpose(d: Drawing, x: ModelValue) -> Drawn:
    return d.call("transpose", x, perm=tuple(int(i) for i in d.rng.permutation(x.type.rank)))


def _broadcast(d: Drawing, x: ModelValue) -> Drawn:
    return d.call("add", d.call("broadcast", d.known(x.type.shape[-1]), shape=x.type.shape), x)


def _concat(d: Drawing, x: ModelValue) -> Drawn:
    return d.call("concat", x, d.call("neg", x), axis=d.axis(x))


def _slice(d: Drawing, x: ModelValue) -> Drawn:
    starts = tuple(int(d.rng.integers((size + 1) // 2)) for size in x.type.shape)
    steps = tuple(d.of((1, 1, 2)) for _ in starts)
    return d.call("slice", x, starts=starts, limits=x.type.shape, steps=steps)


def _pad(d: Drawing, x: ModelValue) -> Drawn:
    mode = d.of(("constant", "edge", "reflect"))
    most = [min(2, size - 1) if mode == "reflect" else 2 for size in x.type.shape]
    before, after = (tuple(int(d.rng.integers(m + 1)) for m in most) for _ in range(2))
    return d.call("pad", x, before=before, after=after, mode=mode)


def _resize(d: Drawing, x: ModelValue) -> Drawn:
    if not _is_image(x):
        return None
    size = tuple(2 * each + 1 for each in x.type.shape[2:])
    return d.call("resize", x, size=size, mode=d.of(("nearest", "linear")))


def _take(d: Drawing, x: ModelValue) -> Drawn:
    axis = d.axis(x)
    at = d.rng.integers(0, x.type.shape[axis], d.size()).astype(np.int32)
    return d.call("take", x, d.builder.constant(at), axis=axis)


def _cumsum(d: Drawing, x: ModelValue) -> Drawn:
    return d.call("cumsum", x, axis=d.axis(x), exclusive=bool(d.rng.integers(2)), reverse=bool(d.rng.integers(2)))


def _cast(d: Drawing, x: ModelValue) -> Drawn:
    narrow = d.call("cast", d.exact(x), dtype=d.of(("bf16", "f16", "f64", "s32", "s8", "f8e4m3fn", "f8e5m2")))
    return d.call("add", x, d.call("cast", narrow, dtype="f32"))


def _quantized(d: Drawing, x: ModelValue) -> Drawn:
    whole = d.call("quantize", d.exact(x), d.known(low=0.02, high=0.05), 0, dtype=d.of(("s8", "u8")))
    return d.call("add", x, d.call("dequantize", whole, d.known(low=0.02, high=0.05), 0))


def _qmatmul(d: Drawing, x: ModelValue) -> Drawn:
    if x.type.rank < 2:
        return None
    k, n, scale = x.type.shape[-1], d.size(), lambda: d.known(low=0.02, high=0.05)
    weights = d.known(k, n, low=-90, high=90, dtype="int8")
    whole = d.given(*x.type.shape, dtype="u8")
    product = d.call(
        "qmatmul", whole, scale(), d.of((0, 128)), weights, scale(), 0, d.known(low=1, high=3), 0, dtype="s8"
    )
    return d.call("dequantize", product, scale(), 0)


def _qconv2d(d: Drawing, x: ModelValue) -> Drawn:
    if not _is_image(x):
        return None
    c, out, scale = x.type.shape[1], d.size(), lambda: d.known(low=0.02, high=0.05)
    weights = d.known(out, c, 3, 3, low=-90, high=90, dtype="int8")
    whole = d.given(*x.type.shape, dtype="u8")
    found = d.call(
        "qconv2d", whole, scale(), d.of((0, 128)), weights, d.known(out, low=0.02, high=0.05), 0,
        d.known(low=1, high=3), 0, padding=1, dtype="s8",
    )  # fmt: skip
    return d.call("dequantize", found, scale(), 0)


def _requantize(d: Drawing, x: ModelValue) -> Drawn:
    whole = d.call("requantize", d.given(*x.type.shape, dtype="s32"), d.known(low=0.01, high=0.1), 0, dtype="s8")
    return d.call("add", x, d.call("dequantize", whole, d.known(low=0.02, high=0.05), 0))


def _scan(d: Drawing, x: ModelValue) -> Drawn:
    if x.type.rank != 2 or x.type.shape[0] > 9:
        return None
    trips, width = x.type.shape
    loop = LoopBuilder(d.builder, trips)
    h, row = loop.carried(d.known(width)), loop.each(x, backward=bool(d.rng.integers(2)))
    weights = d.known(width, width, low=-0.3, high=0.3)
    product = d.call("reshape", d.call("matmul", d.call("reshape", h, shape=(1, width)), weights), shape=(width,))
    _, rows = loop.scan([d.call("tanh", d.call("add", product, row))], rows=[(d.call("neg", h), False)])
    return rows


def _scatter(d: Drawing, x: ModelValue) -> Drawn:
    if x.type.rank != 2:
        return None
    at = d.builder.constant(d.rng.permutation(x.type.shape[0])[:3].astype(np.int32))
    reads = x, at, d.given(at.type.shape[0], x.type.shape[1])
    (found,) = d.builder.make(array_call("scatter", reads, how=d.of(("set", "add", "max")), axes=1), *reads)
    return found


MAPS = "relu tanh sigmoid silu gelu softplus hard_swish hard_sigmoid neg abs erf sin cos atan copy elu leaky_relu"
KINDS: dict[str, Callable[[Drawing, ModelValue], Drawn]] = (
    {name: _map(name) for name in MAPS.split()}
    | {"clip": _map("clip", low=-0.5, high=0.75)}
    | {name: _within(name) for name in ("exp", "expm1")}
    | {name: _within(name, 0.9) for name in ("asin", "acos")}
    | {name: _above(name, 0.5) for name in ("log", "sqrt", "rsqrt", "reciprocal")}
    | {"log1p": _above("log1p", 0.0)}
    | {name: _step(name) for name in ("floor", "ceil", "round", "sign")}
    | {name: _of_two(name) for name in ("add", "sub", "mul", "maximum", "minimum", "prelu")}
    | {"div": lambda d, x: d.call("div", x, d.above(d.exact(x), 0.5))}
    | {"power": lambda d, x: d.call("power", d.above(x, 0.5), d.of((0.5, 1.5, d.known(x.type.shape[-1]))))}
    | {name: _compared(name) for name in "equal not_equal less less_equal greater greater_equal".split()}
    | {name: _logical(name) for name in "logical_and logical_or logical_xor logical_not".split()}
    | {name: _remainder(name) for name in ("mod", "fmod")}
    | {name: _of_bits(name) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")}
    | {name: _over(name) for name in ("sum", "mean", "max", "min", "prod")}
    | {name: lambda d, x, name=name: d.call(name, x, axis=d.axis(x)) for name in ("softmax", "log_softmax")}
    | {name: _normed(name) for name in ("layer_norm", "rms_norm")}
    | {name: _of_images(name) for name in ("batch_norm", "group_norm", "instance_norm", "lrn")}
    | {name: _pooled(name) for name in ("max_pool2d", "avg_pool2d")}
    | {"argmax": _largest_at, "matmul": _matmul, "group_matmul": _group_matmul, "conv2d": _conv2d}
    | {"conv_transpose2d": _conv_transpose2d, "attention": _attention, "rope": _rope, "reshape": _reshape}
    | {"transpose": _transpose, "broadcast": _broadcast, "concat": _concat, "slice": _slice, "pad": _pad}
    | {"resize": _resize, "take": _take, "cumsum": _cumsum, "cast": _cast, "quantize": _quantized}
    | {"qmatmul": _qmatmul, "qconv2d": _qconv2d, "requantize": _requantize, "scan": _scan, "scatter": _scatter}
)
COVERED = {"where", "dequantize"}  # within others


def random_model(rng: np.random.Generator, most: int = 6, drawn: Counter[str] | None = None) -> ModelGraph:
    """A model of 2 to `most` kinds of calls, those first that `drawn` has least of."""
    d, drawn = Drawing(rng), Counter() if drawn is None else drawn
    shape = d.of(((1, d.size(), d.size(), d.size()), (d.size(), d.size()), (2, d.size(), d.size())))
    value = d.given(*shape)
    kept = [value]
    for _ in range(int(rng.integers(2, most + 1))):
        x = kept[-1] if rng.random() < 0.7 else d.of(kept)
        for name in sorted(KINDS, key=lambda name: (drawn[name], rng.random())):
            found = KINDS[name](d, x)
            if found is not None and found.type.elements <= LARGEST:
                drawn[name] += 1
                kept.append(found)
                break
    read = {id(r) for each in kept for r in each.values}
    loose = [each for each in kept[1:] if id(each) not in read]
    return d.builder.graph({f"y{n}": each for n, each in enumerate(loose)})


def random_models(count: int, seed: int) -> list[str]:
    """The texts of so many models, which have each kind of call about as often."""
    rng, drawn = np.random.default_rng(seed), Counter[str]()
    return [str(random_model(rng, drawn=drawn)) for _ in range(count)]
