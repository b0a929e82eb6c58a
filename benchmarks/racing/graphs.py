"""Graphs drawn by rule: one of each KIND in turn, of sizes that a seed gives and no table names.

Rows are odd, widths odd or eight times an odd number, all uniform in the logarithm; so a seed is a set that nobody
chose, and another seed another."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from .stated import Stated

SET = "graphs"
STEP = "attention(f32[32,1,128], f32[32,777,128], f32[32,777,128])"  # of a decoder; in every set
Draw = random.Random


def drawn(count: int, seed: int) -> list[Stated]:
    """STEP, and the first `count` graphs of a seed."""
    rng, names = random.Random(seed), list(KINDS)
    kinds = [names[i % len(names)] for i in range(count)]
    found = [Stated(SET, f"{seed}.{i}-{kind}", KINDS[kind](rng)) for i, kind in enumerate(kinds)]
    return [Stated(SET, "step-32x777x128", STEP), *found]


def _between(rng: Draw, least: int, most: int) -> float:
    return math.exp(rng.uniform(math.log(least), math.log(most)))


def _odd(rng: Draw, least: int, most: int) -> int:
    return int(_between(rng, least, most)) | 1


def _wide(rng: Draw, least: int, most: int) -> int:
    """Eight times an odd number: a width that a model might have."""
    return 8 * _odd(rng, least // 8, most // 8)


def _attention(rng: Draw) -> str:
    h, s, d = _odd(rng, 3, 15), _odd(rng, 60, 400), rng.choice((32, 40, 64, 80, 128))
    return "attention({0}, {0}, {0})".format(f"f32[{h},{s},{d}]")


def _query(rng: Draw) -> str:
    """A step of a decoder: one row of queries."""
    h, t, d = rng.choice((12, 20, 32)), _odd(rng, 300, 1500), rng.choice((64, 96, 128))
    return f"attention(f32[{h},1,{d}], f32[{h},{t},{d}], f32[{h},{t},{d}])"


def _softmax(rng: Draw) -> str:
    return f"softmax(f32[{_odd(rng, 9, 600)},{_odd(rng, 60, 4000)}], axis=-1)"


def _layer_norm(rng: Draw) -> str:
    n, w = _odd(rng, 20, 600), _wide(rng, 200, 2000)
    return f"layer_norm(f32[{n},{w}], const f32[{w}], const f32[{w}])"


def _residual_rms(rng: Draw) -> str:
    n, w = _odd(rng, 20, 400), _odd(rng, 200, 3000)
    return f"rms_norm(add(f32[{n},{w}], f32[{n},{w}]), const f32[{w}])"


def _group_norm(rng: Draw) -> str:
    groups, h = rng.choice((4, 8)), _odd(rng, 7, 40)
    c = groups * _odd(rng, 3, 13)
    return f"silu(group_norm(f32[1,{c},{h},{h}], {groups}, const f32[{c}], const f32[{c}]))"


def _mlp(rng: Draw) -> str:
    n, w = _odd(rng, 5, 300), _wide(rng, 150, 700)
    hidden = 4 * w
    up = f"gelu(add(matmul(f32[{n},{w}], const f32[{w},{hidden}]), const f32[{hidden}]))"
    return f"add(matmul({up}, const f32[{hidden},{w}]), const f32[{w}])"


def _gated(rng: Draw) -> str:
    n, w, hidden = _odd(rng, 1, 100), _wide(rng, 200, 600), _wide(rng, 600, 1600)
    gate = f"silu(matmul(%x: f32[{n},{w}], const f32[{w},{hidden}]))"
    return f"matmul(mul({gate}, matmul(%x, const f32[{w},{hidden}])), const f32[{hidden},{w}])"


def _convolution(rng: Draw) -> str:
    c, o, h = _odd(rng, 9, 70), _odd(rng, 20, 100), _odd(rng, 13, 60)
    stride = rng.choice((1, 2))
    product = f"conv2d(f32[1,{c},{h},{h}], const f32[{o},{c},3,3], stride={stride}, padding=1)"
    return f"relu(add({product}, const f32[{o},1,1]))"


def _pointwise(rng: Draw) -> str:
    c, o, h = _wide(rng, 40, 300), _wide(rng, 40, 300), _odd(rng, 7, 50)
    return f"silu(add(conv2d(f32[1,{c},{h},{h}], const f32[{o},{c},1,1]), const f32[{o},1,1]))"


def _depthwise(rng: Draw) -> str:
    c, h, k = _wide(rng, 40, 300), _odd(rng, 11, 70), rng.choice((3, 5))
    product = f"conv2d(f32[1,{c},{h},{h}], const f32[{c},1,{k},{k}], padding={k // 2}, groups={c})"
    return f"relu(add({product}, const f32[{c},1,1]))"


def _pooling(rng: Draw) -> str:
    c, h, pool = _odd(rng, 9, 100), _odd(rng, 15, 90), rng.choice(("max", "avg"))
    return f"{pool}_pool2d(relu(add(f32[1,{c},{h},{h}], const f32[{c},1,1])), window=3, stride=2)"


def _embedding(rng: Draw) -> str:
    n, w, rows = _odd(rng, 9, 400), _wide(rng, 150, 900), _odd(rng, 900, 9000)
    found = f"add(take(const f32[{rows},{w}], s32[{n}]), const f32[{n},{w}])"
    return f"layer_norm({found}, const f32[{w}], const f32[{w}])"


def _columns(rng: Draw) -> str:
    """A reduction over the slow axis, after calls on each element."""
    n, w = _odd(rng, 60, 900), _odd(rng, 60, 1500)
    return f"sum(mul(sigmoid(f32[{n},{w}]), f32[{n},{w}]), axis=0)"


def _middle(rng: Draw) -> str:
    """A reduction over an axis in the middle: how far a channel spreads."""
    b, n, w = _odd(rng, 2, 9), _odd(rng, 20, 200), _odd(rng, 30, 300)
    centred = f"%c: sub(%x: f32[{b},{n},{w}], mean(%x, axis=1, keepdims=true))"
    return f"mean(mul({centred}, %c), axis=1)"


def _transposes(rng: Draw) -> str:
    return rng.choice((_heads, _turned))(rng)


def _heads(rng: Draw) -> str:
    h, s, d = _odd(rng, 3, 13), _odd(rng, 30, 500), rng.choice((24, 40, 64, 96))
    turned = f"transpose(f32[{h},{s},{d}], perm=(1,0,2))"
    return f"add(reshape({turned}) -> f32[{s},{h * d}], const f32[{h * d}])"


def _turned(rng: Draw) -> str:
    n, w = _odd(rng, 60, 900), _odd(rng, 60, 900)
    return f"mul(transpose(tanh(f32[{n},{w}]), perm=(1,0)), f32[{w},{n}])"


def _cross_entropy(rng: Draw) -> str:
    n, w = _odd(rng, 9, 200), _odd(rng, 200, 6000)
    return f"neg(sum(mul(f32[{n},{w}], log_softmax(f32[{n},{w}], axis=-1)), axis=-1))"


def _quantised(rng: Draw) -> str:
    n, k, w = _odd(rng, 17, 300), _wide(rng, 150, 900), _wide(rng, 150, 900)
    return f"requantize(matmul(u8[{n},{k}], const s8[{k},{w}]), const f32[{w}], const u8[])"


def _recurrent(rng: Draw) -> str:
    """A step of a unit with one gate."""
    b, i, n = _odd(rng, 1, 9), _wide(rng, 60, 300), _wide(rng, 60, 300)
    driven = lambda x, h: f"add(add(matmul({x}, const f32[{i},{n}]), matmul({h}, const f32[{n},{n}])), const f32[{n}])"
    gate = f"%f: sigmoid({driven('%x', '%h')})"
    new = f"tanh({driven(f'%x: f32[{b},{i}]', f'mul({gate}, %h)')})"
    return f"add(%h: f32[{b},{n}], mul(sub({new}, %h), %f))"


def _block(rng: Draw) -> str:
    """Residual: a norm, two products, the input added."""
    n, w = _odd(rng, 9, 200), _wide(rng, 100, 400)
    normed = f"layer_norm(%x: f32[{n},{w}], const f32[{w}], const f32[{w}])"
    up = f"relu(add(matmul({normed}, const f32[{w},{2 * w}]), const f32[{2 * w}]))"
    return f"add(add(matmul({up}, const f32[{2 * w},{w}]), const f32[{w}]), %x)"


KINDS: dict[str, Callable[[Draw], str]] = {
    "attention": _attention,
    "query": _query,
    "softmax": _softmax,
    "layer-norm": _layer_norm,
    "residual-rms": _residual_rms,
    "group-norm": _group_norm,
    "mlp": _mlp,
    "gated": _gated,
    "convolution": _convolution,
    "pointwise": _pointwise,
    "depthwise": _depthwise,
    "pooling": _pooling,
    "embedding": _embedding,
    "columns": _columns,
    "middle": _middle,
    "transposes": _transposes,
    "cross-entropy": _cross_entropy,
    "quantised": _quantised,
    "recurrent": _recurrent,
    "block": _block,
}
