"""Every call of the language, and what models make of several, with each axis in turn open up to its size.

In the texts sizes that run along one dimension are one number, and no other size is that number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import numpy as np
from griotte.lang.constructors.forms import forms
from griotte.lang.functions import COMBINERS
from griotte.lang.types.dtypes import dtype
from griotte.lang.types.tensor import TensorType
from griotte.models import parse_graph
from griotte.models.reference import interpret
from griotte.models.sizes import at
from open_sizes import Opened

BINARY = {
    name for name in forms() if name in ("add", "sub", "mul", "div", "maximum", "minimum", "power", "fmod", "mod")
}
BITS = {"bitwise_and", "bitwise_or", "bitwise_xor"}
COMPARED = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
LOGICAL = {"logical_and", "logical_or", "logical_xor"}
REDUCED = {"sum", "max", "min", "prod", "mean"}
CALLS = {
    "matmul": "matmul(f32[5,7], f32[7,6])",
    "matmul of batches": "matmul(f32[3,5,7], f32[3,7,6])",
    "matmul of bf16": "matmul(bf16[5,32], bf16[32,17])",
    "matmul of s8": "matmul(u8[5,16], s8[16,18])",
    "where": "where(pred[5,7], f32[5,7], f32[7])",
    "logical_not": "logical_not(pred[5,7])",
    "clip": "clip(f32[5,7], low=0.25, high=0.5)",
    "leaky_relu": "leaky_relu(f32[5,7], alpha=0.1)",
    "elu": "elu(f32[5,7], alpha=0.5)",
    "prelu": "prelu(f32[5,7], f32[7])",
    "hard_sigmoid": "hard_sigmoid(f32[5,7], alpha=0.2, beta=0.5)",
    "argmax": "argmax(f32[5,7], axis=1)",
    "argmax of all": "argmax(f32[5,7,3], axis=(0,1,2))",
    "cumsum": "cumsum(f32[5,17], axis=1)",
    "cumsum down": "cumsum(f32[5,17], axis=0, reverse=true)",
    "softmax": "softmax(f32[5,17], axis=1)",
    "softmax down": "softmax(f32[5,17], axis=0)",
    "log_softmax": "log_softmax(f16[5,17], axis=1)",
    "layer_norm": "layer_norm(f32[5,17], f32[17], f32[17])",
    "rms_norm": "rms_norm(f32[3,5,17], f32[17])",
    "batch_norm": "batch_norm(f32[3,5,7,6], f32[5], f32[5], f32[5], f32[5])",
    "group_norm": "group_norm(f32[3,8,7,6], 2, f32[8], f32[8])",
    "instance_norm": "instance_norm(f32[3,8,7,6], f32[8], f32[8])",
    "lrn": "lrn(f32[3,8,7,6], size=3, alpha=0.1, beta=0.75, bias=1)",
    "attention": "attention(f32[3,5,8], f32[3,7,8], f32[3,7,9])",
    "attention to itself": "attention(f32[3,5,8], f32[3,5,8], f32[3,5,8], causal=true)",
    "attention of a mask": "attention(f32[3,5,8], f32[3,7,8], f32[3,7,9], mask=pred[5,7])",
    "rope": "rope(f32[3,5,8], f32[5,4], f32[5,4])",
    "rope of pairs": "rope(f32[3,5,8], f32[5,4], f32[5,4], interleaved=true)",
    "copy": "copy(f32[5,7,3]) -> f32[5,7,3]{0,2,1}",
    "cast": "cast(f32[5,7]) -> bf16[5,7]",
    "cast of bytes": "cast(u8[5,7]) -> f32[5,7]",
    "transpose": "transpose(f32[3,5,7], perm=(2,0,1))",
    "transpose of bytes": "transpose(u8[13,11])",
    "reshape": "reshape(f32[5,6]) -> f32[5,2,3]",
    "reshape joined": "reshape(f32[3,5,7]) -> f32[15,7]",
    "broadcast": "broadcast(f32[1,7]) -> f32[5,7]",
    "broadcast to both": "broadcast(f32[5,1]) -> f32[5,7]",
    "slice": "slice(f32[5,7], starts=(0,2), limits=(5,6))",
    "slice with steps": "slice(f32[5,7], starts=(0,1), limits=(5,7), steps=(1,2))",
    "concat": "concat(f32[5,7], f32[5,3], axis=1)",
    "concat of u8": "concat(u8[5,7,2], u8[5,3,2], axis=1)",
    "concat of f16 in the end": "concat(f16[5,7,2], f16[5,7,4], axis=2)",
    "take": "take(f32[5,7], s32[3])",
    "take columns": "take(f32[5,7], s64[3], axis=1)",
    "pad": "pad(f32[5,7], before=(0,1), after=(0,2))",
    "resize": "resize(f32[3,2,5,7], size=(10,14), mode=nearest)",
    "resize linear": "resize(f32[3,2,5,7], size=(10,14), mode=linear)",
    "conv2d": "conv2d(f32[3,2,5,7], f32[4,2,3,3], padding=1)",
    "conv2d 1x1": "conv2d(f32[3,2,5,7], f32[4,2,1,1])",
    "conv2d by channel": "conv2d(f32[3,8,5,7], f32[8,1,3,3], padding=1, groups=8)",
    "conv_transpose2d": "conv_transpose2d(f32[3,2,5,7], f32[2,4,2,2], stride=2)",
    "max_pool2d": "max_pool2d(f32[3,2,6,8], window=2)",
    "avg_pool2d": "avg_pool2d(f32[3,2,6,8], window=2)",
    "quantize": "quantize(f32[5,7], f32[], u8[])",
    "dequantize": "dequantize(u8[5,7], f32[], 3)",
    "requantize": "requantize(s32[5,7], f32[7], u8[])",
    "qmatmul": "qmatmul(u8[5,7], f32[], 3, s8[7,6], f32[6], 0, f32[], 3)",
    "qmatmul of two zeros": "qmatmul(u8[5,7], f32[], 3, s8[7,6], f32[6], 5, f32[], s8[])",
    "qconv2d": "qconv2d(u8[3,2,5,7], f32[], 3, s8[4,2,3,3], f32[4], s8[], f32[], 100, padding=1)",
    "group_matmul": "group_matmul(f32[5,16], s8[6,2,8], f32[6,2])",
}
"""Calls with more to say than which tensors they take, by what is told of them."""
MODELS = {
    "halves turned": "%x: f32[5,3,8]) { %l = slice(%x, starts=(0,0,0), limits=(5,3,4)) %r = slice(%x, starts=(0,0,4),"
    " limits=(5,3,8)) %n = neg(%r) %y = concat(%n, %l, axis=2) return y=%y",
    "joined and given": "%x: f32[5,7]) { %a = relu(%x) %b = neg(%x) %y = concat(%a, %b, axis=1) return a=%a, y=%y",
    "picked": "%x: f32[5,7], %i: const s64[3] = (2, 0, 1)) { %y = take(%x, %i, axis=1) return y=%y",
    "reversed rows": "%x: f32[2,5,7], %i: const s64[5] = (4, 3, 2, 1, 0)) { %y = take(%x, %i, axis=1) return y=%y",
    "pooled rows": "%x: f32[3,16,6,8]) { %y = max_pool2d(%x, window=3, stride=2, padding=1) return y=%y",
    "filtered": "%x: f32[3,16,14,12], %w: f32[17,16,3,3]) { %y = conv2d(%x, %w, padding=1) %z = relu(%y) return z=%z",
    "top": "%x: f32[5,7]) { %v, %i = top(%x, k=3, largest=1) return v=%v, i=%i",
    "top of columns": "%x: f32[5,7]) { %t = transpose(%x) %v, %i = top(%t, k=2, largest=0) %y = transpose(%v)"
    " return y=%y, i=%i",
    "top of batches": "%x: u8[3,5,7]) { %v, %i = top(%x, k=3, largest=1) %f = cast(%v) -> f32[3,5,3] %y = exp(%f)"
    " return y=%y",
    "scattered": "%x: f32[5,7], %p: s64[3], %u: f32[3,7]) { %y = scatter(%x, %p, %u) return y=%y",
    "bits": "%x: f32[5,7]) { %y = bits(%x, dtype=s32) return y=%y",
    "several results": "%x: f32[5,7]) { %m = max(%x, axis=1, keepdims=true) %d = sub(%x, %m) %e = exp(%d)"
    " %s = sum(%e, axis=1) return d=%d, e=%e, s=%s, x=%x",
    "perceptron": "%x: f32[5,7], %w: f32[7,12], %b: f32[12], %v: f32[12,3]) { %h = relu(add(matmul(%x, %w), %b))"
    " %y = matmul(%h, %v) return y=%y",
    "stacked": "%x: f32[5,7]) { %a = reshape(%x) -> f32[1,5,7] %b = exp(%a) %c = neg(%a) %y = concat(%b, %c, axis=0)"
    " return y=%y",
    "padded then pooled": "%x: f32[3,2,5,7]) { %p = pad(%x, before=(0,0,1,1), after=(0,0,1,1)) %y = avg_pool2d(%p,"
    " window=3, stride=2) return y=%y",
    "images as rows": "%x: f32[3,2,5,7]) { %t = transpose(%x, perm=(0,2,3,1)) %r = reshape(%t) -> f32[3,35,2]"
    " %y = softmax(%r, axis=2) return y=%y",
}
TENSOR = re.compile(r"((?:pred|bf16|[fsu]\d+)\[)([\d,]+)(\])")
NAMED = re.compile(r"\b(limits|size|shape)=\(([\d,]+)\)")


def plain(name: str) -> str:
    """A call that says no more than which tensors it takes."""
    if name in LOGICAL:
        return f"{name}(pred[5,17], pred[5,17])"
    if name in BITS:
        return f"{name}(s32[5,17], s32[5,17])"
    if name in BINARY | COMPARED:
        return f"{name}(f32[5,17], f32[17])"
    if name in REDUCED or name in {c.call for c in COMBINERS.values()}:
        return f"{name}(f32[5,17,3], axis=1)"
    return f"{name}(f32[5,17])"


def texts() -> dict[str, str]:
    """Models by name."""
    found = dict(CALLS)
    told = {text.split("(")[0] for text in CALLS.values()}
    found |= {name: plain(name) for name in forms() if name not in told | {"outputs"}}
    made = {}
    for name, text in found.items():
        head, *result = text.split(" -> ")
        inputs: list[str] = []

        def given(match: re.Match, inputs=inputs) -> str:
            inputs.append(f"%x{len(inputs)}: {match[0]}")
            return f"%x{len(inputs) - 1}"

        call = re.sub(r"(?:pred|bf16|[fsu]\d+)\[[\d,]*\]", given, head)
        told = "".join(f" -> {each}" for each in result)
        made[name] = f"model({', '.join(inputs)}) {{ %y = {call}{told} return y=%y }}"
    return made | {name: f"model({text} }}" for name, text in MODELS.items()}


def opened(every: int = 1) -> Iterator[Opened]:
    """Each program with each of its sizes open, along all axes that have it and along one alone; of these some."""
    all_ = (each for name, text in texts().items() for each in _opened(name, text))
    yield from (each for n, each in enumerate(all_) if n % every == 0)


def _opened(name: str, text: str) -> Iterator[Opened]:
    head = text.split("{ ", maxsplit=1)[0]
    axes = [(m.start(), n, size) for m in TENSOR.finditer(head) for n, size in enumerate(m[2].split(","))]
    ways = {size: {(at, n) for at, n, own in axes if own == size} for _, _, size in axes if int(size) > 1}
    for size, joint in ways.items():
        yield _case(f"{name}, <={size}", _marked(text, size, None), int(size))
        if len(joint) > 1:
            for at_, n in sorted(joint):
                yield _case(f"{name}, <={size} at {at_}.{n} alone", _marked(text, size, (at_, n)), int(size))


def _marked(text: str, size: str, place: tuple[int, int] | None) -> str:
    """A size open wherever it stands, or among the inputs at one place."""
    end = text.index("{ ")

    def mark(match: re.Match) -> str:
        sizes = match[2].split(",")
        is_it = lambda n: place is None or match.start() > end or place == (match.start(), n)
        return match[1] + ",".join(f"<={s}" if s == size and is_it(n) else s for n, s in enumerate(sizes)) + match[3]

    return TENSOR.sub(mark, text)


def _case(name: str, text: str, bound: int) -> Opened:
    graph = partial(parse_graph, text)

    def given(size: int) -> list[np.ndarray]:
        return [_drawn(value.type, size, n) for n, value in enumerate(graph().inputs)]

    return Opened(name, graph, given, lambda size: interpret(at(graph(), size), *given(size)), bound)


def _drawn(type: TensorType, size: int, seed: int) -> np.ndarray:
    shape = tuple(size if axis in type.dynamic_axes else n for axis, n in enumerate(type.shape))
    rng, kind = np.random.default_rng((seed, size)), dtype(type.dtype).numpy
    if dtype(type.dtype).kind == "float":
        return rng.uniform(0.1, 0.9, shape).astype(kind)
    return rng.integers(0, 2 if type.dtype == "pred" else 9, shape).astype(kind)
